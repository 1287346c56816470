"""The configuration folder of a home: made ready, so that nobody is asked anything.

What onboarding would have written is written here: an owner, the general settings and
the address of the web server. Home Assistant migrates it where a newer release wants
another form.
"""

import base64
from collections.abc import Iterator
import contextlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
import fcntl
import hashlib
import hmac
import json
from pathlib import Path
import secrets
import shutil
import tempfile
from typing import Any, Literal

REPOSITORY = Path(__file__).parents[2]
LUMO = REPOSITORY / "custom_components" / "lumo"

_PREFIX = "lumo-home-"
_LOCK = ".in-use"

OWNER_NAME = "Dev"

_CONFIGURATION = """\
# Written by the development harness.
homeassistant:
  auth_providers:
    - type: trusted_networks
      trusted_networks: [127.0.0.1/32, "::1/128"]
      allow_bypass_login: true
    - type: homeassistant
  # In a container, pictures that are made would go beside the folder.
  media_dirs:
    local: {media}
api:
assist_pipeline:
config:
conversation:
frontend:
logger:
  default: warning
  logs:
    custom_components.lumo: {level}
    # What is missing for sound, pictures and speed, and what we know ourselves.
    aiohttp_fast_zlib: error
    haffmpeg: critical
    homeassistant.components.camera.img_util: critical
    homeassistant.bootstrap: error
    homeassistant.loader: error
demo_home:
  home: {home}
"""

_DEMO = """\
recorder:
  commit_interval: 0
  # Nothing of what was there before the home is made: it has a past.
  include:
    domains: [binary_sensor, climate, cover, light, lock, sensor, switch]
scene: !include custom_components/demo_home/scenes.yaml
script: !include custom_components/demo_home/scripts.yaml
automation: !include automations.yaml
person:
  - {id: emma, name: Emma, device_trackers: [device_tracker.emma]}
  - {id: ben, name: Ben, device_trackers: [device_tracker.ben]}
"""

type HomeKind = Literal["demo", "empty"]


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner's access token, as it is written into the folder."""

    access_token: str = field(repr=False)


def write_folder(
    folder: Path,
    *,
    home: HomeKind,
    port: int,
    address: str = "127.0.0.1",
    lumo: Path = LUMO,
    language: str = "en",
) -> Owner:
    """Write a fresh configuration into a folder and return its owner."""
    folder.mkdir(parents=True, exist_ok=True)
    write_configuration(folder, home=home, lumo=lumo)
    storage = folder / ".storage"
    storage.mkdir(exist_ok=True)
    now = datetime.now(UTC)
    token = _Token(
        secrets.token_hex(16), secrets.token_hex(64), secrets.token_hex(64), now
    )
    _store(storage, "auth", 1, 1, _auth(token))
    _store(
        storage,
        "onboarding",
        4,
        1,
        {"done": ["user", "core_config", "analytics", "integration"]},
    )
    _store(
        storage,
        "core.config",
        1,
        4,
        {
            "latitude": 46.2044,
            "longitude": 6.1432,
            "elevation": 375,
            "unit_system_v2": "metric",
            "location_name": "Demo home" if home == "demo" else "Empty home",
            "time_zone": "Europe/Zurich",
            "external_url": None,
            "internal_url": None,
            "currency": "CHF",
            "country": "CH",
            "language": language,
            "radius": 100,
        },
    )
    # In configuration.yaml the same would be on trial for five minutes.
    _store(
        storage,
        "http",
        2,
        2,
        {
            "stable": {
                "server_host": [address],
                "server_port": port,
                "cors_allowed_origins": ["https://cast.home-assistant.io"],
                "login_attempts_threshold": -1,
                "ip_ban_enabled": False,
                "ssl_profile": "modern",
                "use_x_frame_options": True,
                "created_at": now.isoformat(),
                "error": None,
                "error_message": None,
            },
            "pending": None,
            "yaml_migration_done": True,
        },
    )
    return Owner(token.access_token())


def write_configuration(
    folder: Path, *, home: HomeKind, log_level: str = "debug", lumo: Path = LUMO
) -> None:
    """Write configuration.yaml, and link the integration and the demo home."""
    media = folder / "media"
    media.mkdir(exist_ok=True)
    text = _CONFIGURATION.format(
        home=home, level=log_level, media=json.dumps(str(media))
    )
    if home == "demo":
        text += _DEMO
    (folder / "configuration.yaml").write_text(text, encoding="utf-8")
    if home == "demo" and not (folder / "automations.yaml").exists():
        (folder / "automations.yaml").write_text("[]\n", encoding="utf-8")
    integrations = folder / "custom_components"
    integrations.mkdir(exist_ok=True)
    for source in (lumo, REPOSITORY / "dev" / "demo_home"):
        link = integrations / source.name
        link.unlink(missing_ok=True)
        link.symlink_to(source, target_is_directory=True)


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder for one run and remove it afterwards.

    A run that was killed cannot remove its folder; the next one does. A lock that the
    kernel releases with the process tells which folders are still in use.
    """
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    with (folder / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _sweep() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError), (folder / _LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Token:
    """A long-lived access token as Home Assistant's auth store keeps it."""

    token_id: str
    token: str
    jwt_key: str
    created: datetime

    def access_token(self) -> str:
        """Return the token to send: a JWT signed with the stored key."""
        issued = int(self.created.timestamp())
        year = int(timedelta(days=365).total_seconds())
        claims = {"iss": self.token_id, "iat": issued, "exp": issued + year}
        signed = b".".join(
            base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
            for part in ({"alg": "HS256", "typ": "JWT"}, claims)
        )
        signature = hmac.digest(self.jwt_key.encode(), signed, hashlib.sha256)
        return b".".join(
            (signed, base64.urlsafe_b64encode(signature).rstrip(b"="))
        ).decode()


def _auth(token: _Token) -> dict[str, Any]:
    """Return the auth store's content: one owner, who may sign in from here."""
    user_id = secrets.token_hex(16)
    groups = {
        "system-admin": "Administrators",
        "system-users": "Users",
        "system-read-only": "Read Only",
    }
    return {
        "users": [
            {
                "id": user_id,
                "group_ids": ["system-admin"],
                "is_owner": True,
                "is_active": True,
                "name": OWNER_NAME,
                "system_generated": False,
                "local_only": False,
            }
        ],
        "groups": [{"id": key, "name": name} for key, name in groups.items()],
        "credentials": [
            {
                "id": secrets.token_hex(16),
                "user_id": user_id,
                "auth_provider_type": "trusted_networks",
                "auth_provider_id": None,
                "data": {"user_id": user_id},
            }
        ],
        "refresh_tokens": [
            {
                "id": token.token_id,
                "user_id": user_id,
                "client_id": None,
                "client_name": "Development harness",
                "client_icon": None,
                "token_type": "long_lived_access_token",
                "created_at": token.created.isoformat(),
                "access_token_expiration": timedelta(days=365).total_seconds(),
                "token": token.token,
                "jwt_key": token.jwt_key,
                "last_used_at": None,
                "last_used_ip": None,
                "expire_at": None,
                "credential_id": None,
                "version": None,
            }
        ],
    }


def _store(
    storage: Path, key: str, version: int, minor_version: int, data: dict[str, Any]
) -> None:
    path = storage / key
    path.write_text(
        json.dumps(
            {
                "version": version,
                "minor_version": minor_version,
                "key": key,
                "data": data,
            },
            indent=2,
        ),
        encoding="utf-8",
    )
    path.chmod(0o600)
