import { beforeAll, expect, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { createChannel, openRelease, publishAndOpen } from './support/channel.ts'
import { checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { pick } from './support/picker.ts'
import {
  chooseRollout,
  confirmPublish,
  createApp,
  fillArtifact,
  openPublishForm,
} from './support/steps.ts'

const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', 5)
})

const panel = () => opened.page.getByRole('region', { name: 'Rollout plan', exact: true })
const status = (word: string) => panel().getByText(word, { exact: true })
const steps = () => panel().getByRole('list', { name: 'Steps of the plan' })
const current = () => steps().locator('[aria-current=step]')

/** Presses a button of the plan, and says yes. */
async function act(button: string, version: string): Promise<void> {
  const { page } = opened
  await panel().getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog', { name: version })
  await dialog.getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a release is rolled out by a plan unless somebody chooses otherwise', async () => {
  const { page, goTo } = opened
  await openPublishForm(opened)
  await page.getByRole('textbox', { name: 'Version' }).fill('1.1.0')
  await fillArtifact(page, '1.1.0')
  await expect.poll(() => page.getByRole('radio', { name: 'One day' }).isChecked()).toBe(true)
  await page.getByText(/^Everyone by .* at the earliest$/).waitFor()
  const schedule = page.getByRole('list', { name: 'Steps with their earliest times' })
  await schedule.getByRole('listitem').last().getByText('about 5 devices').waitFor()
  // What publishing would refuse is refused while the plan is chosen.
  await chooseRollout(page, 'My computer first')
  await page.getByText(/the ring "me" would be in the rollout of 10% only in part/).waitFor()
  await chooseRollout(page, 'One day')
  await schedule.waitFor()
  await confirmPublish(page, '1.1.0')

  await status('Running').waitFor()
  await expect.poll(() => steps().getByRole('listitem').count()).toBe(4)
  await expect
    .poll(() => current().innerText())
    .toMatch(/^5%\s+Applied.*Waiting for time to pass, until/s)
  await steps()
    .getByText(/^Next step: .* at the earliest\. Then waits at least 8 hours$/)
    .waitFor()

  await goTo('Overview')
  const live = page.getByRole('list', { name: 'Live on Editor, channel stable' })
  const rollout = live.getByRole('listitem').first()
  await rollout.getByText('Next: 25%').waitFor()
  await rollout.getByText('1 of 4 steps applied').waitFor()
  await rollout.getByText('at the earliest').waitFor()
  await page
    .getByRole('main')
    .getByText(/^Rollout\s*Adoption$/)
    .waitFor()
  // In one place, and the channel is not blamed for those that are not offered it yet.
  expect(await page.getByRole('link', { name: '1.1.0' }).count()).toBe(1)
  const channel = page.getByRole('region', { name: 'Editor, channel stable' })
  await channel.getByText('100% up to date').waitFor()
  await channel.getByRole('button', { name: 'Details of Editor' }).click()
  await channel.getByText('Check-ins, 24 hours').waitFor()
})

test('a change by hand suspends the plan, and a person resumes it', async () => {
  const { page, goTo } = opened
  await openRelease(opened, 'stable', '1.1.0')
  const main = page.getByRole('main')
  const presets = main.getByRole('group', { name: 'Presets' })
  await presets.getByRole('button', { name: '10%', exact: true }).click()
  await main.getByRole('button', { name: 'Raise to 10%' }).click()
  const dialog = page.getByRole('dialog', { name: 'Raise the rollout of 1.1.0 to 10%' })
  const confirm = dialog.getByRole('button', { name: 'Raise to 10%' })
  await expect.poll(() => confirm.isEnabled()).toBe(true)
  await confirm.click()
  await status('Suspended').waitFor()
  await panel().getByText('The release was changed by hand.').waitFor()

  await goTo('Overview')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText('the rollout plan is suspended').waitFor()
  await attention.getByRole('link', { name: '1.1.0 on editor/stable' }).click()
  await act('Resume plan', 'Resume the plan of 1.1.0')
  await status('Running').waitFor()
  await page.getByText('Resumed plan after step 1 of 4.').waitFor()
})

test('a plan that somebody else suspends is shown at once', async () => {
  const { page } = opened
  await createChannel(opened, 'shared')
  await publishAndOpen(opened, 'shared', '2.0.0', {
    plan: {
      steps: [
        { rolloutPct: 10, soakHours: 1 },
        { rolloutPct: 100, soakHours: 0 },
      ],
    },
  })
  await status('Running').waitFor()
  const place = { app: 'editor', channel: 'shared', version: '2.0.0' }
  await callApi(opened, 'PATCH', 'releases', { ...place, rolloutPct: 20 })
  await status('Suspended').waitFor()
  await act('Remove plan', 'Remove the plan of 2.0.0')
  await panel().getByText('No plan. You raise the rollout by hand').waitFor()
  await page.getByText('Removed plan after step 1 of 2.').waitFor()
})

test('a custom plan is checked while it is written, and laid over the calendar', async () => {
  const { page } = opened
  await createChannel(opened, 'custom')
  await publishAndOpen(opened, 'custom', '3.0.0', { rolloutPct: 10 })
  await panel().getByRole('button', { name: 'Set plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a rollout plan for 3.0.0' })
  await dialog.getByRole('button', { name: 'Customize steps' }).click()
  const first = dialog.getByRole('listitem', { name: 'Step 2' })
  await first.getByLabel('Then wait at least').fill('soon')
  await dialog.getByRole('button', { name: 'Set plan' }).click()
  await first.getByText('Enter a number').waitFor()
  await first.getByLabel('Then wait at least').fill('48')
  await first.getByRole('button', { name: 'Conditions for the next step' }).click()
  await first.getByLabel('Adopted by at least').fill('50')
  await dialog.getByRole('button', { name: 'Add window' }).click()
  await dialog.getByRole('group', { name: 'Window 1' }).getByLabel('Sat').check()
  await dialog.getByText('Steps are applied Mon–Sat, 09:00–16:00').waitFor()
  await dialog.getByRole('button', { name: 'Set plan' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await steps().getByText('Skipped: the release was already past this step').waitFor()
  await panel().getByText('Steps are applied Mon–Sat, 09:00–16:00').waitFor()
})

test('the first release is rolled out by a plan, and one by hand begins small', async () => {
  const { page } = opened
  await createChannel(opened, 'fresh')
  await openPublishForm(opened)
  await pick(page, 'Channel', 'fresh')
  await page.getByRole('radio', { name: /^One day\s*Recommended/ }).waitFor()
  await expect.poll(() => page.getByRole('radio', { name: /^One day/ }).isChecked()).toBe(true)
  await chooseRollout(page, 'By hand')
  const slider = page.getByRole('slider', { name: 'Rollout', exact: true })
  expect(await slider.getAttribute('aria-valuenow')).toBe('5')
})
