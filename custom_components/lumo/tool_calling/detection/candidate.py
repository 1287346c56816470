"""What is held because it may be a call, and what is open around it."""

from dataclasses import dataclass, field

from .openers import Fence, Tag

# No call is wrapped deeper.
_MAX_WRAPPERS = 8


@dataclass(slots=True)
class Candidate:
    """The text since something began that may be a call."""

    held: list[str] = field(default_factory=list)
    arguments: int = 0
    """Where in it arguments begin that are written as tags."""
    gap: list[str] = field(default_factory=list)
    """What stood between the call before and this one."""
    wrappers: list[Fence | Tag] = field(default_factory=list)
    """The fences and tags around the next value, outermost first.

    They stay open behind a call until they are closed, so that their ends vanish with
    it.
    """
    mark: int = 0
    """How many of them were open before the candidate began."""
    name: str | None = None
    """The tool that a tag names, its arguments being the value."""
    in_quotes: bool = False
    """Whether the value stands in a JSON text."""

    @property
    def text(self) -> str:
        """Return all that is held."""
        return "".join(self.held)

    @property
    def inner(self) -> Fence | Tag | None:
        """Return the innermost wrapper."""
        return self.wrappers[-1] if self.wrappers else None

    @property
    def span(self) -> Fence | None:
        """Return the code span that the candidate opened, if it did."""
        if len(self.wrappers) > self.mark:
            inner = self.wrappers[-1]
            if isinstance(inner, Fence) and inner.length < 3:
                return inner
        return None

    @property
    def form(self) -> str:
        """Return in what form its calls are written."""
        if not self.wrappers:
            return "raw"
        outer = self.wrappers[0]
        if isinstance(outer, Tag):
            return "tagged"
        return "fenced" if outer.length > 2 else "inline"

    @property
    def is_too_deep(self) -> bool:
        """Whether more is wrapped around it than around any call."""
        return len(self.wrappers) - self.mark > _MAX_WRAPPERS

    def begin(self) -> None:
        """Begin here; what is open already stays so whatever becomes of it."""
        self.mark = len(self.wrappers)

    def begin_fence(self) -> None:
        """Begin with a fence: one that was never closed ends where the next begins."""
        if self.wrappers:
            self.wrappers = [w for w in self.wrappers if not isinstance(w, Fence)]
        self.mark = len(self.wrappers)

    def open(self, wrapper: Fence | Tag, text: str) -> None:
        """Hold the opening of a wrapper."""
        self.held.append(text)
        self.wrappers.append(wrapper)
        if isinstance(wrapper, Tag) and wrapper.name is not None:
            self.name = wrapper.name

    def innermost(self, kind: type[Fence | Tag]) -> int | None:
        """Return the index of the innermost wrapper of a kind."""
        for index in range(len(self.wrappers) - 1, -1, -1):
            if isinstance(self.wrappers[index], kind):
                return index
        return None

    def accept(self) -> None:
        """Let go of the text of a call; its wrappers are still to be closed."""
        self.held = []
        self.gap = []
        self.name = None
        if len(self.wrappers) > _MAX_WRAPPERS:
            del self.wrappers[:-_MAX_WRAPPERS]

    def reject(self) -> Fence | None:
        """Let go of a text that is no call; return the code block that it opened."""
        opened = self.wrappers[self.mark :]
        del self.wrappers[self.mark :]
        self.accept()
        self.in_quotes = False
        for wrapper in opened:
            if isinstance(wrapper, Fence) and wrapper.block:
                return wrapper
        return None
