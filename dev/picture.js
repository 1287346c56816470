// Makes docs/images/conversation.png, the picture in the README, anew.
//
//   scripts/develop                             # in another terminal, a fresh --config
//   npm install --no-save playwright-core
//   CHROMIUM=/usr/bin/chromium node dev/picture.js

const { chromium } = require("playwright-core");

const SENTENCES = ["Turn off the kitchen lights", "Unlock the front door", "Yes please"];

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox"],
  });
  // As narrow as a phone: Assist then shows the whole conversation.
  const page = await browser.newPage({
    viewport: { width: 440, height: 760 },
    deviceScaleFactor: 1.5,
  });
  await page.goto("http://127.0.0.1:8123/");
  await page.waitForTimeout(5000);
  await page.locator("body").press("a"); // opens Assist
  await page.waitForTimeout(2000);
  for (const sentence of SENTENCES) {
    await page.keyboard.type(sentence);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(3000);
  }
  await page.screenshot({ path: "docs/images/conversation.png" });
  await browser.close();
}

main();
