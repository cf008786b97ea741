import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveConsole, sharedBrowser } from './support/browser.ts'
const folder = mkdtempSync(join(tmpdir(), 'tidegate-e2e-'))
const served = await serveConsole(folder, 0)
const browser = await sharedBrowser()
const page = await (await browser.newContext()).newPage()
page.on('console', (m) => console.log('console:', m.type(), m.text()))
await page.goto(`${served.console}#/link/${served.link}`)
await page.getByLabel('Name').waitFor()
console.log(await page.evaluate(() => {
  const s = getComputedStyle(document.documentElement)
  return [s.getPropertyValue('--mantine-color-body'), s.getPropertyValue('--mantine-color-text'), s.getPropertyValue('--tidegate-good'), s.getPropertyValue('--tidegate-raised'), [...document.querySelectorAll('style')].map((e) => e.textContent?.slice(0, 300)), document.documentElement.outerHTML.slice(0, 700)]
}))
await served.stop(); await browser.close()
