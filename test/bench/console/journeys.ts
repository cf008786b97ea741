import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { publishByApi } from '../../e2e/support/api.ts'
import {
  openInBrowser,
  PERSON,
  serveConsole,
  sharedBrowser,
  showCode,
} from '../../e2e/support/browser.ts'
import { dropFiles } from '../../e2e/support/drop.ts'
import { newUserData, type ReleaseConsole } from '../../e2e/support/release-console.ts'
import { createApp } from '../../e2e/support/steps.ts'
import { freePort } from '../../support/processes/ports.ts'
import type { Table } from '../output/table.ts'

/** What a person does on the way: what was clicked, and the fields that were typed into. Dropped files are neither. */
interface Effort {
  readonly clicks: number
  readonly fields: number
}

interface Journey {
  readonly what: string
  readonly most: Effort
  /** Goes the way on a page; returns once the release is published. */
  go(page: Page): Promise<void>
}

const URL_OF = 'https://downloads.example.com/'
const TAURI = [
  {
    name: 'latest.json',
    content: JSON.stringify({
      version: '2.0.0',
      notes: 'Faster.',
      platforms: {
        'linux-x86_64': { signature: 'c2ln', url: `${URL_OF}Editor_2.0.0_amd64.AppImage` },
      },
    }),
  },
  { name: 'Editor_2.0.0_amd64.AppImage', content: 'built' },
  { name: 'Editor_2.0.0_amd64.AppImage.sig', content: 'c2ln' },
]
const SETUP = { name: 'Editor-Setup-3.0.0.exe', content: 'installer' }
const SHA512 = createHash('sha512').update(SETUP.content).digest('base64')
const BUILDER = [
  {
    name: 'latest.yml',
    content: `version: 3.0.0\nfiles:\n  - url: ${SETUP.name}\n    sha512: ${SHA512}\n    size: 9\npath: ${SETUP.name}\n`,
  },
  SETUP,
  { name: `${SETUP.name}.blockmap`, content: 'map' },
]

/** Ways to publish, from the list of releases. */
const PUBLISHING: readonly Journey[] = [
  publishing('a Tauri build', '2.0.0', TAURI),
  publishing('an electron-builder tree', '3.0.0', BUILDER),
  publishing('a single installer', '4.0.0', [
    { name: 'Editor-4.0.0-x64-setup.exe', content: 'installer' },
  ]),
]

function publishing(
  what: string,
  version: string,
  files: readonly { name: string; content: string }[],
): Journey {
  return {
    what,
    most: { clicks: 3, fields: 0 },
    async go(page) {
      await page.getByRole('main').getByRole('link', { name: 'Publish a release' }).first().click()
      await dropFiles(page.getByRole('region', { name: 'Add files' }), files)
      await publish(page, version)
    },
  }
}

/** From the link of the first account to a release that a tenth of the devices is offered. */
const FIRST: Journey = {
  what: 'first release at 10%, from the setup link',
  most: { clicks: 6, fields: 2 },
  async go(page) {
    await page.getByLabel('Name').fill(PERSON.name)
    await page.getByRole('textbox', { name: 'New password' }).fill(PERSON.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Publish a release' }).first().click()
    await dropFiles(page.getByRole('region', { name: 'Add files' }), TAURI)
    await page.getByRole('radio', { name: 'By hand' }).click()
    await page.getByRole('button', { name: '10%', exact: true }).click()
    await publish(page, '2.0.0')
  },
}

async function publish(page: Page, version: string): Promise<void> {
  await page.getByRole('table', { name: 'Files' }).waitFor()
  for (const what of ['Computing the SHA-512', 'Uploading your files']) {
    await page.getByText(what).waitFor({ state: 'hidden' })
  }
  await page.getByRole('form', { name: 'Release' }).getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: `Publish ${version}` })
  await dialog.getByRole('button', { name: `Publish ${version}` }).click()
  await page.getByRole('heading', { level: 1, name: version }).waitFor()
}

/** Counts clicks, fields and seconds of each way. `tooMuch`: what takes more than it may. */
export async function measureJourneys(): Promise<{ table: Table; tooMuch: string[] }> {
  const rows = [await first()]
  const opened = await openInBrowser({ storesFiles: true })
  try {
    await createApp(opened)
    await publishByApi(opened, '1.0.0')
    await countEffort(opened.page)
    for (const journey of PUBLISHING) rows.push(await again(opened, journey))
  } finally {
    await opened.close()
  }
  const columns = ['clicks', 'at most', 'fields', 'at most ', 'seconds']
  return {
    table: {
      title: 'Ways to publish',
      columns: [{ name: 'what' }, ...columns.map((name) => ({ name, decimals: 1 }))],
      rows,
      notes: [
        'Fields that were typed into. Files are dropped. Seconds of a program that does not read.',
      ],
    },
    tooMuch: rows.flatMap((row) =>
      row.clicks > row['at most'] || row.fields > row['at most '] ? [row.what] : [],
    ),
  }
}

async function first() {
  const folder = newUserData()
  const served = await serveConsole(join(folder, 'data'), await freePort())
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  try {
    await showCode(context, served.console, served.code)
    const page = await context.newPage()
    await countEffort(page)
    await page.goto(`${served.console}#/link/${served.link}`)
    await page.getByRole('heading', { level: 1, name: 'Set up Tidegate' }).waitFor()
    return await measured(page, FIRST)
  } finally {
    await context.close()
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function again({ page, goTo }: ReleaseConsole, journey: Journey) {
  await page.reload()
  await goTo('Releases')
  await page.evaluate(() => sessionStorage.clear())
  return await measured(page, journey)
}

async function measured(page: Page, { what, most, go }: Journey) {
  const began = performance.now()
  await go(page)
  const seconds = (performance.now() - began) / 1_000
  const { clicks, fields } = await effortOf(page)
  return { what, clicks, 'at most': most.clicks, fields, 'at most ': most.fields, seconds }
}

/** Has every page that is loaded from now on count what a person does. */
async function countEffort(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const count = (what: string) =>
      sessionStorage.setItem(what, `${Number(sessionStorage.getItem(what)) + 1}`)
    const typed = new WeakSet<EventTarget>()
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && count('clicks'), true)
    addEventListener(
      'input',
      ({ target }) => {
        const isText =
          target instanceof HTMLElement && !target.matches('[type=radio],[type=checkbox]')
        if (!isText || typed.has(target)) return
        typed.add(target)
        count('fields')
      },
      true,
    )
  })
}

async function effortOf(page: Page): Promise<Effort> {
  return await page.evaluate(() => ({
    clicks: Number(sessionStorage.getItem('clicks')),
    fields: Number(sessionStorage.getItem('fields')),
  }))
}
