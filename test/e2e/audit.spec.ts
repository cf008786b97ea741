import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { AuditPage } from '../../src/shared/console/audit.ts'
import { readCsv } from '../support/csv.ts'
import { callConsole } from './support/api.ts'
import { inBrowser } from './support/console.ts'
import { openForAll } from './support/open-for-all.ts'
import { picker } from './support/picker.ts'
import { createApp, publish } from './support/steps.ts'
import { savedFile } from './support/window.ts'

const Answer = z.object({ ok: z.literal(true), data: AuditPage })
const opened = openForAll()
/** Entries about the account that a browser is signed in to, and who acts there. */
const OWN = inBrowser ? 2 : 0
const ACTOR = inBrowser ? 'Ada' : 'Console'

beforeAll(async () => {
  await opened.goTo('Audit log')
  if (!inBrowser) await opened.page.getByText('No changes yet').waitFor()
  await createApp(opened)
  await publish(opened, '1.0.0')
  await publish(opened, '1.1.0', 10)
})
beforeEach(async () => {
  await opened.goTo('Overview')
  await opened.goTo('Audit log')
  await expect.poll(rows).toHaveLength(3 + OWN)
})

/** The rows of the log as they are read out. */
const rows = () =>
  opened.page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').allInnerTexts()

/** What the server answers, past the screen. */
async function listed(filter: object): Promise<AuditPage> {
  return Answer.parse(await callConsole(opened.page, 'query', 'audit.list', filter)).data
}

test('the log shows who did what and from where', async () => {
  const [newest = '', , oldest = ''] = await rows()
  expect(newest).toContain(ACTOR)
  expect(newest).toMatch(/Published at 10% with 1 artifact\.\s.*1\.1\.0/s)
  expect(oldest).toContain(ACTOR)
  expect(oldest).toMatch(/Created app Editor\.\s.*editor/s)
})

test('an entry expands by keyboard and shows what changed', async () => {
  const { page } = opened
  const toggle = page.getByRole('button', { name: /^Details: Published at 10%/ })
  await toggle.focus()
  await page.keyboard.press('Enter')
  const changes = page.getByRole('table', { name: 'Changed fields' })
  await changes.getByRole('row', { name: 'Rollout 10%' }).waitFor()
  await changes.getByRole('row', { name: 'Targets All devices' }).waitFor()
  expect(await toggle.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Enter')
  await changes.waitFor({ state: 'hidden' })
})

test('filters narrow the log and stay in the address', async () => {
  const { page } = opened
  await page.getByLabel('Type').selectOption('Apps')
  await expect.poll(rows).toHaveLength(1)
  await page.getByText('1 entry', { exact: true }).waitFor()
  await page.getByLabel('Type').selectOption('All types')
  await expect.poll(rows).toHaveLength(3 + OWN)
  await page.getByRole('searchbox', { name: 'Search' }).fill('1.0.0')
  await expect.poll(rows).toHaveLength(1)
  expect(await page.evaluate('location.hash')).toContain('search=1.0.0')
  await page.getByLabel('Source').selectOption('Command line')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(rows).toHaveLength(3 + OWN)
})

test('a day can be typed', async () => {
  const { page } = opened
  const day = page.getByLabel('From', { exact: true })
  await day.focus()
  // The same in every order of day and month.
  await page.keyboard.type('01012999')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  expect(await day.inputValue()).toBe('2999-01-01')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(rows).toHaveLength(3 + OWN)
  expect(await day.inputValue()).toBe('')
})

test('the target of an entry is a link', async () => {
  const { page } = opened
  await page.getByRole('link', { name: 'Release 1.0.0 of editor/stable' }).click()
  await page.getByRole('heading', { level: 1, name: '1.0.0' }).waitFor()
})

test('the export contains the filtered entries', async () => {
  const { page } = opened
  await page.getByLabel('Type').selectOption('Releases')
  await expect.poll(rows).toHaveLength(2)
  const { text, shown } = await savedFile(opened, 'log.csv', () =>
    page.getByRole('button', { name: 'Export CSV' }).click(),
  )
  await page.getByText(`Exported the audit log as ${shown}`).waitFor()
  const [, ...saved] = readCsv(text)
  const { entries, total } = await listed({ actionGroup: 'release' })
  expect(total).toBe(2)
  expect(
    saved.map(([id, at, , , action, app, channel, version, , after]) => ({
      id: Number(id),
      at,
      action,
      app,
      channel,
      version,
      after: JSON.parse(after ?? ''),
    })),
  ).toEqual(
    entries.map(({ id, at, action, app, channel, version, after }) => ({
      id,
      at,
      action,
      app,
      channel,
      version,
      after,
    })),
  )
})

test('a link to an unknown app is reported, and the entries of a deleted app stay', async () => {
  const { page } = opened
  await page.evaluate(() => window.location.assign('#/audit?app=gone'))
  await page.getByRole('heading', { level: 2, name: 'App not found' }).waitFor()
  await expect.poll(() => picker(page, 'App').inputValue()).toBe('gone (not found)')
  await page.evaluate(() => window.location.assign('#/audit?app=editor'))
  await expect.poll(rows).toHaveLength(3)
})
