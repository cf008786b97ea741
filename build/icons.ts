import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from '../test/support/playwright.ts'
import { encodeIcns, encodeIco, type Picture } from './icon-containers.ts'

// Renders the icons of the product from their drawings: `node build/icons.ts [chromium]`. The files
// that it writes are kept in the repository, so that packaging needs no browser.

const FOLDER = join(import.meta.dirname, 'icons')
/** macOS wants air around the tile; everywhere else the same drawing is cut to it. */
const WITH_AIR = '0 0 1024 1024'
const CUT = '84 84 856 856'
/** Up to this size the drawing with few strokes is used. */
const SMALL = 32
const ICO_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256]
const ICNS_SIZES = [32, 64, 128, 256, 512, 1024]
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512]
/** Where the page has those of a web app, from the folder of the others. */
const WEB = '../../src/renderer/public'
const WEB_SIZES = [192, 512]
/** The tile alone, with corners. */
const FULL = '100 100 824 824'
const ROUNDED = ' rx="186"'
const TRAY_INKS = {
  trayTemplate: '#000',
  'tray-on-light': '#17363a',
  'tray-on-dark': '#fff',
  // At least 3:1 on white and on black.
  'tray-on-any': '#12918a',
}

const executablePath = process.argv[2] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  await writeIcons(browser)
} finally {
  await browser.close()
}

async function writeIcons(browser: Browser): Promise<void> {
  const icon = await source('icon')
  const small = await source('icon-small')
  const tray = await source('tray')
  const draw = (drawing: string, size: number) => render(browser, drawing, size)
  const cut = (size: number) =>
    size <= SMALL ? draw(small, size) : draw(icon.replace(WITH_AIR, CUT), size)

  await write('icon.png', (await cut(1024)).png)
  await write('icon.ico', encodeIco(await inTurn(ICO_SIZES, cut)))
  await write('icon.icns', encodeIcns(await inTurn(ICNS_SIZES, (size) => draw(icon, size))))
  for (const { size, png } of await inTurn(WEB_SIZES, cut)) {
    await write(join(WEB, `app-icon-${size}.png`), png)
  }
  // Phones cut it to a shape of their own.
  const full = icon.replace(WITH_AIR, FULL).replace(ROUNDED, '')
  await write(join(WEB, 'app-icon-maskable.png'), (await draw(full, 512)).png)
  for (const { size, png } of await inTurn(LINUX_SIZES, cut)) {
    await write(`linux/${size}x${size}.png`, png)
  }
  for (const [name, ink] of Object.entries(TRAY_INKS)) {
    const inked = tray.replaceAll('currentColor', ink)
    await write(`tray/${name}.png`, (await draw(inked, 16)).png)
    await write(`tray/${name}@2x.png`, (await draw(inked, 32)).png)
  }
}

function source(name: string): Promise<string> {
  return readFile(join(FOLDER, 'source', `${name}.svg`), 'utf8')
}

async function write(name: string, content: Buffer): Promise<void> {
  const file = join(FOLDER, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

async function inTurn(
  sizes: readonly number[],
  draw: (size: number) => Promise<Picture>,
): Promise<readonly Picture[]> {
  const pictures: Picture[] = []
  for (const size of sizes) pictures.push(await draw(size))
  return pictures
}

async function render(browser: Browser, drawing: string, size: number): Promise<Picture> {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  try {
    await page.setContent(
      `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`,
    )
    return { size, png: await page.screenshot({ omitBackground: true }) }
  } finally {
    await page.close()
  }
}
