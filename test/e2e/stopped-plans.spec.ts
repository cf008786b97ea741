import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelease } from './support/channel.ts'
import { inBrowser, openConsole, type ReleaseConsole } from './support/console.ts'
import { stoppedPlans } from './support/stopped-plans.ts'

let opened: ReleaseConsole
/** Why the server stopped the one, as people read it everywhere. */
let why: string
const WHY = /Failing: ([\d.]+)% of (\d+) devices, limit 3%/

beforeAll(async () => {
  opened = await openConsole({ userData: await stoppedPlans(), reducedMotion: true })
})
afterAll(() => opened?.close())

const main = () => opened.page.getByRole('main')
const attention = () => main().getByRole('region', { name: 'Needs attention' })
const item = (channel: string) =>
  attention()
    .getByRole('listitem')
    .filter({ has: opened.page.getByRole('link', { name: `1.1.0 on editor/${channel}` }) })
    .filter({ hasText: 'Failing:' })
const FAILED = /Reported failure: \d+ devices/
const health = () => main().getByRole('region', { name: 'Health', exact: true })
const plan = () => main().getByRole('region', { name: 'Rollout plan', exact: true })

/** Presses a button of the release or its plan, and says yes. Returns what was asked. `place`: on the overview. */
async function act(button: string, title: string, place = ''): Promise<string> {
  await main()
    .getByRole('button', { name: `${button}${place}`, exact: true })
    .click()
  const dialog = opened.page.getByRole('dialog', { name: title })
  const confirm = dialog.getByRole('button', { name: button, exact: true })
  await expect.poll(() => confirm.isEnabled()).toBe(true)
  const asked = await dialog.innerText()
  await confirm.click()
  await dialog.waitFor({ state: 'hidden' })
  return asked
}

test('the overview says what the server did, why, and on which devices', async () => {
  const { page } = opened
  const paused = await item('one').innerText()
  expect(paused).toContain('Paused automatically')
  why = WHY.exec(paused)?.[0] ?? ''
  expect(why).not.toBe('')
  expect(await item('withdrawn').innerText()).toContain('Rolled back automatically')

  const failed = item('one').getByRole('link', { name: /^\d+ devices$/ })
  const count = (await failed.innerText()).split(' ')[0]
  const [, share, judged] = WHY.exec(why) ?? []
  expect(Number(share)).toBeCloseTo((100 * Number(count)) / Number(judged), 0)
  await failed.click()
  const list = page.getByRole('table', { name: 'Devices of editor' })
  await expect.poll(() => list.locator('tbody').getByRole('row').count()).toBe(Number(count))
  await list.getByRole('link').first().click()
  const timeline = page.getByRole('list', { name: 'Offers and outcomes, latest first' })
  await timeline.getByText('No space left').waitFor()
})

test('the page of the release has the numbers, and a person resumes it and then its plan', async () => {
  await openRelease(opened, 'one', '1.1.0')
  await health().getByText(why).waitFor()
  await plan().getByRole('alert', { name: 'The plan was stopped' }).waitFor()
  const resume = plan().getByRole('button', { name: 'Resume plan' })
  expect(await resume.isDisabled()).toBe(true)

  const resumed = await act('Resume 1.1.0', 'Resume 1.1.0')
  expect(resumed).toContain('The server stopped 1.1.0 because too many devices failed')
  expect(resumed).toContain(why)
  expect(resumed).toMatch(FAILED)
  expect(resumed).toContain('Its plan stays stopped')

  // Nothing watches it before its plan is resumed, too.
  await opened.goTo('Overview')
  await item('one').getByText('Until its plan is resumed, nothing stops it again').waitFor()
  await item('one').getByRole('button', { name: 'Stop 1.1.0 on editor/one' }).waitFor()
  await openRelease(opened, 'one', '1.1.0')
  const choice = main().getByRole('button', { name: '100%', exact: true })
  await choice.click()
  await main().getByRole('button', { name: 'Raise to 100%' }).click()
  await opened.page.getByRole('dialog').getByText('Its plan is stopped').waitFor()
  await opened.page.keyboard.press('Escape')

  await expect.poll(() => resume.isEnabled()).toBe(true)
  const accepted = await act('Resume plan', 'Resume the plan of 1.1.0')
  expect(accepted).toMatch(FAILED)
  expect(accepted).toContain('You accept the failures so far')
  await plan().getByText('Running', { exact: true }).waitFor()
  await opened.goTo('Overview')
  await item('one').waitFor({ state: 'detached' })
  await item('withdrawn').waitFor()
})

test('a person rolls another one back from the overview, which is done with it', async () => {
  await item('another').getByText('Limit 3%', { exact: true }).waitFor()
  const asked = await act('Roll back 1.1.0', 'Roll back 1.1.0', ' on editor/another')
  expect(asked).not.toMatch(FAILED)
  await openRelease(opened, 'another', '1.1.0')
  await health().getByText(WHY).waitFor()
  await opened.goTo('Overview')
  await item('another').waitFor({ state: 'detached' })
  await item('withdrawn').waitFor()
})

test('a release that the server rolled back keeps the reason, and has no plan to resume', async () => {
  await openRelease(opened, 'withdrawn', '1.1.0')
  await health().getByText(WHY).waitFor()
  expect(await plan().getByRole('button').count()).toBe(0)
})

test('the audit log has what the server did and why', async () => {
  const { page, goTo } = opened
  await goTo('Audit log')
  const row = (words: string) =>
    page.getByRole('table', { name: 'Audit log' }).getByRole('row').filter({ hasText: words })
  const paused = row('It was paused.').filter({ hasText: 'editor/one' })
  expect(await paused.innerText()).toContain(`Stopped plan. ${why}.`)
  expect(await paused.innerText()).toMatch(/Server/)
  await row('It was rolled back.').waitFor()
  await row('Resumed plan after step 1 of 2.')
    .filter({ hasText: inBrowser ? 'Ada' : 'Console' })
    .waitFor()
})
