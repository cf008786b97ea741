import { beforeAll, expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { createChannel, openRelease } from './support/channel.ts'
import { checkAll } from './support/device.ts'
import { tabTo } from './support/keyboard.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const DEVICES = 30
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})

const main = () => opened.page.getByRole('main')
const offered = async (channel: string) =>
  (await checkAll(opened.address, '1.0.0', DEVICES, { channel })).filter((offer) => offer !== null)
    .length

/** Publishes 1.1.0 on a channel of its own, whose devices run 1.0.0. */
async function publishOn(channel: string, rolloutPct: number): Promise<void> {
  await createChannel(opened, channel)
  await publishByApi(opened, '1.0.0', { channel })
  await checkAll(opened.address, '1.0.0', DEVICES, { channel })
  await publishByApi(opened, '1.1.0', { channel, rolloutPct })
}

/** Goes to a button by the keyboard and presses it. */
async function press(name: string, within = main()) {
  const button = within.getByRole('button', { name, exact: true })
  await button.waitFor()
  await tabTo(opened, button)
  await opened.page.keyboard.press('Enter')
}

/** Answers the dialog by the keyboard; the focus is on the page again afterwards. */
async function answer(title: string, action: string) {
  const { page } = opened
  const dialog = page.getByRole('dialog', { name: title })
  await dialog
    .getByRole('status')
    .getByText(/newly offered|nothing to count/)
    .waitFor()
  await press(action, dialog)
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false)
}

test('from the navigation to the release', async () => {
  const { page, goTo } = opened
  await publishOn('found', 0)
  await goTo('Overview')
  const link = page.getByRole('navigation', { name: 'Screens' }).getByText('Releases')
  await tabTo(opened, link)
  await page.keyboard.press('Enter')
  const release = main().getByRole('link', { name: '1.1.0 of editor/found' })
  await release.waitFor()
  await tabTo(opened, release)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '1.1.0' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
})

test('the rollout by arrow keys', async () => {
  const { page } = opened
  await publishOn('raised', 0)
  expect(await offered('raised')).toBe(0)
  await openRelease(opened, 'raised', '1.1.0')
  const slider = page.getByRole('slider', { name: 'Rollout', exact: true })
  await tabTo(opened, slider)
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('99%')
  await press('Raise to 99%')
  await answer('Raise the rollout of 1.1.0 to 99%', 'Raise to 99%')
  expect(await offered('raised')).toBeGreaterThan(0)
})

test('Escape closes a dialog without a change', async () => {
  const { page } = opened
  await publishOn('escaped', 99)
  await openRelease(opened, 'escaped', '1.1.0')
  await press('Roll back 1.1.0')
  const dialog = page.getByRole('dialog', { name: 'Roll back 1.1.0' })
  await dialog
    .getByRole('status')
    .getByText(/newly offered|nothing to count/)
    .waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const button = main().getByRole('button', { name: 'Roll back 1.1.0' })
  await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await offered('escaped')).toBeGreaterThan(0)
})

test('stopping, resuming and rolling back', async () => {
  const { page } = opened
  await publishOn('paused', 99)
  await openRelease(opened, 'paused', '1.1.0')
  await press('Stop 1.1.0')
  await page.getByRole('dialog').getByText('1.1.0 is paused').waitFor()
  await page.keyboard.press('Escape')
  expect(await offered('paused')).toBe(0)
  await press('Resume 1.1.0')
  await answer('Resume 1.1.0', 'Resume 1.1.0')
  expect(await offered('paused')).toBeGreaterThan(0)
  await press('Roll back 1.1.0')
  await answer('Roll back 1.1.0', 'Roll back 1.1.0')
  await page.getByRole('heading', { level: 1, name: 'Rolled back' }).waitFor()
  expect(await offered('paused')).toBe(0)
})
