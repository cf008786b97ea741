import { beforeAll, expect, test } from 'vitest'
import { callApi, publishByApi } from './support/api.ts'
import { check } from './support/device.ts'
import { type Faults, interceptCalls } from './support/faults.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const DEVICE = 'device-007'
const opened = openForAll()
let faults: Faults

beforeAll(async () => {
  faults = await interceptCalls(opened)
})

/**
 * Creates an app with 1.0.0, and 1.1.0, which was rolled back; opens the page of its device, which runs that
 * version. Answers the reference of the app.
 */
async function openDevice(name: string, version: string): Promise<string> {
  const app = name.toLowerCase()
  await createApp(opened, { name, ref: app })
  for (const each of ['1.0.0', '1.1.0']) await publishByApi(opened, each, { app })
  await check(opened.address, version, DEVICE, { app, labels: { ring: 'early' } })
  const rollback = { app, channel: 'stable', version: '1.1.0', status: 'rolled_back' }
  await callApi(opened, 'PATCH', 'releases', rollback)
  await opened.page.evaluate((to) => window.location.assign(to), `#/devices/${app}/${DEVICE}`)
  await heading(DEVICE).waitFor()
  return app
}

const heading = (name: string) => opened.page.getByRole('heading', { level: 1, name })
const button = (name: string) => opened.page.getByRole('button', { name, exact: true })
const verdict = (text: string) =>
  opened.page.getByRole('region', { name: 'Update decision' }).getByText(text)
const tried = async () => {
  const rows = opened.page
    .getByRole('table', { name: 'Releases considered, in order' })
    .getByRole('row')
  return (await rows.allInnerTexts()).slice(1).map((row) => row.replace(/\s+/g, ' ').trim())
}

test('its page gives the reason why it is not offered a release', async () => {
  const app = await openDevice('Editor', '1.0.0')
  const publish = (version: string, more: Readonly<Record<string, unknown>>) =>
    publishByApi(opened, version, { app, ...more })
  await verdict('No update: no version above 1.0.0 is published.').waitFor()
  await verdict('1.1.0 was rolled back, so it is no longer offered.').waitFor()
  await publish('1.2.0', { rolloutPct: 0 })
  await verdict('No update: this device is not in the rollout of 1.2.0.').waitFor()
  expect(await tried()).toEqual([
    expect.stringMatching(
      /^1\.2\.0 Not in rollout Not in the 0% rollout \(this device is at \d+\.\d\d%\)\.$/,
    ),
  ])
  await publish('1.3.0', { targets: { matchLabels: { ring: 'internal' } } })
  await verdict('No update: this device does not match the targets of 1.3.0.').waitFor()
  expect((await tried())[0]).toBe(
    '1.3.0 Not targeted Label ring is "early", not one of "internal".',
  )
  await publish('1.4.0', { artifacts: [] })
  await verdict('No update: 1.4.0 has no artifact for linux x86_64.').waitFor()
  expect((await tried())[0]).toBe('1.4.0 No artifact No artifact for linux x86_64.')
  expect(await tried()).toHaveLength(3)
  const file = { platform: 'linux', arch: 'x86_64', url: 'https://downloads.example.com/e' }
  const artifacts = ['deb', 'rpm'].map((kind) => ({ ...file, kind, sha512: 'ab'.repeat(64) }))
  await publish('1.5.0', { artifacts })
  const has = 'No update: 1.5.0 has only deb and rpm for linux x86_64'
  await verdict(`${has}, and the device does not name a bundle kind.`).waitFor()
  const bundle = opened.page.getByRole('combobox', { name: 'Bundle kind' })
  await bundle.fill('msi')
  await verdict(`${has}, not msi.`).waitFor()
  await bundle.fill('m s i')
  await verdict('The bundle kind must be 1 to 64 letters').waitFor()
  await bundle.fill('deb')
  await verdict('Update offered: 1.5.0').waitFor()
  await button('Reset').click()
  await verdict(`${has}, and the device does not name a bundle kind.`).waitFor()
  const floor = { ...file, kind: 'deb', sha512: 'ab'.repeat(64), minimumSystemVersion: '6.8' }
  await publish('1.6.0', { artifacts: [floor] })
  await bundle.fill('deb')
  await verdict('Update offered: 1.6.0').waitFor()
  await opened.page.getByRole('textbox', { name: 'OS version' }).fill('5.15')
  await verdict('Update offered: 1.5.0').waitFor()
  expect((await tried())[0]).toBe(
    '1.6.0 System too old Needs Linux 6.8, and the device has Linux 5.15.',
  )
  await button('Reset').click()
  const choose = async (updater: string) => {
    await opened.page.getByRole('combobox', { name: 'Updater' }).fill(updater)
    await opened.page.getByRole('option', { name: updater }).click()
  }
  await choose('Velopack')
  await verdict('No update: 1.6.0 has no file for linux x86_64 that Velopack installs.').waitFor()
  // A build number is a version for Sparkle alone.
  await opened.page.getByRole('textbox', { name: 'Version', exact: true }).fill('259')
  await verdict('The version must be a semantic version').waitFor()
  await choose('Sparkle')
  await verdict('No update: the updater would not install 1.6.0 over 0.0.0+259.').waitFor()
  expect((await tried())[0]).toBe('1.6.0 Not newer To the updater, 1.6.0 is not above 259.')
})

test('the explanation always matches the current fields', async () => {
  const { page } = opened
  await openDevice('Player', '1.0.0')
  const region = page.getByRole('region', { name: 'Update decision' })
  const version = region.getByRole('textbox', { name: 'Version', exact: true })
  const own = 'No update: no version above 1.0.0 is published.'
  await verdict(own).waitFor()
  await version.fill('one')
  await region.getByText('The version must be a semantic version such as').waitFor()
  expect(await verdict(own).count()).toBe(0)
  const explain = await faults.hold('devices.explain')
  await version.fill('1.1.0')
  await region.getByText('The version must be').waitFor({ state: 'hidden' })
  expect(await verdict(own).count()).toBe(0)
  await explain.asked()
  expect(await verdict(own).count()).toBe(0)
  await explain.release()
  await verdict('Downgrade offered: 1.0.0').waitFor()
  await verdict('This is a simulation. The device is not changed.').waitFor()
  await version.press('1')
  expect(await verdict('Downgrade offered: 1.0.0').count()).toBe(0)
  await button('Reset').click()
  await verdict(own).waitFor()
})

test('a device on a rolled-back version is explained, with its check-ins', async () => {
  const { page } = opened
  const app = await openDevice('Viewer', '1.1.0')
  await verdict('Downgrade offered: 1.0.0').waitFor()
  await verdict('Rollback behavior of viewer/stable: downgrade').waitFor()
  const checkIns = page.getByRole('table', { name: 'Check-ins' }).getByRole('row')
  expect(await checkIns.nth(1).innerText()).toMatch(/Update check\s+Up to date\s+1\.1\.0\s+stable/)
  await check(opened.address, '1.0.0', DEVICE, { app })
  const history = page.getByRole('list', { name: 'Version history, latest first' })
  await expect.poll(() => history.getByRole('listitem').count()).toBe(2)
  await page.getByText('Check-ins are kept for 90 days.').waitFor()
})

test('a device is forgotten after a confirmation that names the deleted data', async () => {
  const { page } = opened
  await openDevice('Reader', '1.0.0')
  await button('Forget device').click()
  const dialog = page.getByRole('dialog', { name: 'Forget device' })
  await dialog.getByText(`version history of ${DEVICE}`).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await button('Forget device').click()
  await dialog.getByRole('button', { name: 'Forget device' }).click()
  await heading('Devices').waitFor()
  await page.evaluate((to) => window.location.assign(to), `#/devices/reader/${DEVICE}`)
  await page.getByRole('heading', { level: 2, name: 'Device not found' }).waitFor()
  await opened.goTo('Audit log')
  await page.getByText('Forgot device.').waitFor()
})
