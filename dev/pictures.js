// Makes the pictures in docs/images anew: all, or those that are named.
//
//   scripts/develop --sign-in account --config FOLDER    # in another terminal, a fresh FOLDER
//   npm install --no-save playwright-core
//   CHROMIUM=/usr/bin/chromium node dev/pictures.js [NAME ...]
//
// HOME_URL is where the home is, if not on port 8123.

const { chromium } = require("playwright-core");

const HOME = process.env.HOME_URL || "http://127.0.0.1:8123";
const AGENT = 0; // The subentries, in the order in which they stand on the page.
const TASK = 1;

// What is shown, by the name of the picture: how large, and what is done before.
const PICTURES = {
  conversation: [440, 760, (page) =>
    talk(page, "Turn off the kitchen lights", "Unlock the front door", "Yes please")],
  "camera-answer": [440, 420, (page) => talk(page, "Who is at the door?")],
  "cameras-option": [440, 600, async (page) => {
    await options(page, AGENT);
    await show(page, "Tools", "Cameras");
  }],
  "later-option": [440, 860, async (page) => {
    await talk(page, "Turn off the kitchen lights in ten minutes",
      "Remind me in two hours to water the plants", "Close the living room blinds at seven tomorrow");
    await form(page, AGENT);
  }],
  "notes-option": [440, 680, async (page) => {
    await options(page, AGENT);
    await show(page, "Tools", "Cameras");
    const memory = page.locator("ha-selector-select", { hasText: "Memory" });
    await memory.click({ position: { x: 100, y: 25 } }); // Below are its help texts.
    await page.getByText("On, where it is encrypted").last().click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("Tools of the agent").waitFor({ state: "hidden" });
    await talk(page, "Remember that the guest network is called Otter",
      "Remember that I drink tea in the morning");
    await options(page, AGENT);
    await page.getByRole("button", { name: "Next" }).click();
  }],
  "phone-option": [440, 640, async (page) => {
    await options(page, AGENT);
    await show(page, "Safety", "Yes by phone from");
  }],
  "places-option": [440, 900, async (page) => {
    await options(page, AGENT);
    await page.getByText("Places", { exact: true }).click();
    await page.waitForTimeout(1000);
    await page.locator("ha-selector-object").getByRole("button").first().click();
    await page.waitForTimeout(1000);
  }],
  "ai-task-options": [440, 1250, (page) => options(page, TASK)],
  "speech-to-text-form": [440, 470, async (page) => {
    await open(page, "/config/integrations/integration/lumo");
    await page.getByRole("button", { name: "Add speech to text" }).click();
  }],
  "generated-picture": [560, 640, async (page) => {
    await open(page, "/");
    await page.evaluate(draw, "Hills in the evening sun");
    await open(page, "/media-browser/browser/app%2Cmedia-source%3A%2F%2Fai_task");
    await page.locator("ha-media-player-browse ha-card").last().click();
  }],
};

async function open(page, path) {
  await page.goto(HOME + path);
  await page.waitForTimeout(5000);
}

async function talk(page, ...sentences) {
  await open(page, "/");
  await page.locator("body").press("a"); // opens Assist
  const field = page.locator("ha-assist-chat input").first();
  for (const sentence of sentences) {
    await field.fill(sentence);
    await field.press("Enter");
    await page.waitForTimeout(3000);
  }
}

// A field in a section of the options.
async function show(page, section, field) {
  await page.getByText(section, { exact: true }).click();
  await page.waitForTimeout(1000); // It opens slowly.
  const shown = page.getByText(field, { exact: true });
  await shown.evaluate((element) => element.scrollIntoView({ block: "center" }));
}

async function form(page, subentry) {
  await open(page, "/config/integrations/integration/lumo");
  await page.getByRole("button", { name: "Change options" }).nth(subentry).click();
  const recommended = page.locator("step-flow-form ha-switch").last();
  await recommended.waitFor();
  return recommended;
}

// The page behind "Recommended settings".
async function options(page, subentry) {
  const recommended = await form(page, subentry);
  if (await recommended.evaluate((element) => element.checked)) await recommended.click();
  await page.getByRole("button", { name: "Submit" }).click();
}

async function draw(instructions) {
  const { hass } = document.querySelector("home-assistant");
  const [task] = Object.keys(hass.states).filter((id) => id.startsWith("ai_task."));
  const data = { entity_id: task, task_name: "picture of the day", instructions };
  await hass.callService("ai_task", "generate_image", data, undefined, false, true);
}

async function main(names) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox"],
  });
  for (const name of names.length ? names : Object.keys(PICTURES)) {
    const [width, height, prepare] = PICTURES[name];
    // As narrow as a phone: a dialog then fills the picture.
    const page = await browser.newPage({
      viewport: { width, height },
      deviceScaleFactor: 1.5,
      locale: "en-US",
      colorScheme: "light",
    });
    await prepare(page);
    await page.waitForTimeout(3000);
    await page.screenshot({ path: `docs/images/${name}.png` });
    await page.close();
  }
  await browser.close();
}

main(process.argv.slice(2));
