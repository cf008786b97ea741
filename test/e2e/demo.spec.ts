import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastAnswered } from '../support/check-in-log/last-answered.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { type DemoConsole, openDemo } from './support/demo.ts'

let opened: DemoConsole

beforeAll(async () => {
  opened = await openDemo({ reducedMotion: true })
  await opened.goTo('Devices')
})
afterAll(() => opened?.close())

/** Opens the page of a device. */
async function openDevice(app: string, id: string): Promise<void> {
  const { page } = opened
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    `#/devices/${app}/${encodeURIComponent(id)}`,
  )
  await page.getByRole('heading', { level: 1, name: id }).waitFor()
}

/** Checks for an update as a new device that gets none, and waits until the device is stored. */
async function checkAs(id: string, path: string): Promise<void> {
  const answer = await fetch(opened.address + path, { headers: { 'x-service-device': id } })
  expect(answer.status).toBe(204)
  const listed = opened.database.prepare('SELECT 1 FROM devices WHERE device_id = ?')
  await expect.poll(() => listed.get(id)).toBeDefined()
}

const verdict = (text: string | RegExp) =>
  opened.page.getByRole('region', { name: 'Update decision' }).getByText(text).first()

test('a device outside the rollout is shown that rollout', async () => {
  const { app, id } = lastAnswered(opened.database, 'lantern', 'outside_cohort')
  await openDevice(app, id)
  await verdict('No update: this device is not in the rollout of 2.1.0.').waitFor()
})

test('a device on a rolled-back version is downgraded', async () => {
  const { page } = opened
  const version = page.getByRole('textbox', { name: 'Version', exact: true })
  await version.fill('2.0.0')
  await verdict(/^Downgrade offered: 1\.9\.1 .* because 2\.0\.0 was rolled back/).waitFor()
})

test('a device that does not match the targets of a release is not offered it', async () => {
  // On a weekend, no device of the early ring's channel may be left out.
  await checkAs('without-a-ring', '/u/parley/beta/windows/x86_64/4.4.0-beta.2')
  await openDevice('parley', 'without-a-ring')
  await verdict('No update: this device does not match the targets of 4.5.0-beta.1.').waitFor()
})

test('a device without an artifact is shown the missing platform', async () => {
  await checkAs('the-odd-one', '/u/sift/stable/freebsd/x86_64/0.9.0')
  await openDevice('sift', 'the-odd-one')
  await verdict('No update: 1.1.0 has no artifact for freebsd x86_64.').waitFor()
})

test("axe finds nothing serious on screens with the demo's data", async () => {
  const { page, goTo } = opened
  for (const screen of ['Overview', 'Fleet', 'Devices', 'Audit log'] as const) {
    await goTo(screen)
    expect.soft(await findingsInBothThemes(opened), screen).toEqual(NO_FINDINGS)
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count(), screen).toBe(0)
  }
})
