import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readCsv } from '../support/csv.ts'
import { eventually } from '../support/eventually.ts'
import { publishByApi } from './support/api.ts'
import { loadAnew, openConsole, type ReleaseConsole } from './support/console.ts'
import { check, checkAll } from './support/device.ts'
import { createApp } from './support/steps.ts'
import { savedFile } from './support/window.ts'

let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openConsole({ reducedMotion: true })
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 3)
  await check(opened.address, '0.9.0', 'old-one')
  // The list stays as it is opened, and check-ins are stored a moment after their answer.
  await eventually(async () => {
    await opened.goTo('Overview')
    await opened.goTo('Devices')
    await main().getByRole('table').waitFor()
    const versions = await main().getByLabel('Version').locator('option').allTextContents()
    expect(versions).toContain('0.9.0')
  })
})
afterAll(async () => {
  await opened?.close()
})

beforeEach(async () => {
  await opened.goTo('Overview')
  await opened.goTo('Devices')
  await main().getByRole('table').waitFor()
})

const main = () => opened.page.getByRole('main')
const menu = () => main().getByRole('button', { name: 'Saved filters' })
const entry = (name: string) => opened.page.getByRole('menuitem', { name })
const dialog = (name: string) => opened.page.getByRole('dialog', { name })
const count = (text: string) =>
  main()
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${text}$`) })

/** Saves the filters of the list, narrowed to the old version, under a name. */
async function save(name: string): Promise<void> {
  await main().getByLabel('Version').selectOption('0.9.0')
  await count('1 of 4 devices').waitFor()
  await menu().click()
  await entry('Save current filters…').click()
  await dialog('Save filters').getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog('Save filters').getByRole('button', { name: 'Save filters' }).click()
}

test('filters are saved under a name, and applied from the menu after a restart of the page', async () => {
  const { page } = opened
  await save('')
  await dialog('Save filters').getByText('Required').waitFor()
  await dialog('Save filters').getByRole('textbox', { name: 'Name' }).fill('Left behind')
  await dialog('Save filters').getByRole('button', { name: 'Save filters' }).click()
  await dialog('Save filters').waitFor({ state: 'hidden' })
  await main().getByLabel('Version').selectOption('All')
  await count('4 devices').waitFor()
  await loadAnew(opened)
  await menu().click()
  await entry('Left behind').click()
  await count('1 of 4 devices').waitFor()
  expect(await page.evaluate(() => location.hash)).toContain('version=0.9.0')
})

test('two saved filters cannot have the same name', async () => {
  await save('Only one')
  await dialog('Save filters').waitFor({ state: 'hidden' })
  await save('Only one')
  await dialog('Save filters').getByText('Name already exists').waitFor()
  await dialog('Save filters').getByRole('button', { name: 'Cancel' }).click()
  await dialog('Save filters').waitFor({ state: 'hidden' })
})

test('the export contains the devices of the filtered list', async () => {
  await main().getByLabel('Version').selectOption('0.9.0')
  await count('1 of 4 devices').waitFor()
  const { text, shown } = await savedFile(opened, 'devices.csv', () =>
    main().getByRole('button', { name: 'Export CSV' }).click(),
  )
  await opened.page.getByText(`Exported devices as ${shown}`).waitFor()
  const [, ...rows] = readCsv(text)
  expect(rows.map(([deviceId, channel, version]) => [deviceId, channel, version])).toEqual([
    ['old-one', 'stable', '0.9.0'],
  ])
})

test('a saved filter is deleted, and the focus stays in the dialog', async () => {
  await save('To delete')
  await dialog('Save filters').waitFor({ state: 'hidden' })
  await menu().click()
  await entry('Manage saved filters…').click()
  const manage = dialog('Saved filters')
  const remove = manage.getByRole('button', { name: 'Delete To delete' })
  await remove.click()
  await remove.waitFor({ state: 'detached' })
  expect(await manage.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  // The list may be shown before the deletion has ended, and until then Escape is refused.
  await manage.locator('button:enabled[aria-label=Close]').waitFor()
  await opened.page.keyboard.press('Escape')
  await manage.waitFor({ state: 'hidden' })
})
