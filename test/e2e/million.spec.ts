import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLargeFleet } from '../support/builders/large-fleet.ts'
import {
  LARGE_APP,
  largeDeviceId,
  largeProfile,
  seenAfter,
  VERSIONS,
} from '../support/builders/large-fleet-plan.ts'
import { newUserData, openConsole, type ReleaseConsole } from './support/console.ts'

const DEVICES = 1_000_000
const PER_PAGE = 50
/** Making the devices, and a server that reads them all. */
const SEED_TIME = 600_000

const fleet = { devices: DEVICES, end: Date.now() }
let opened: ReleaseConsole

beforeAll(async () => {
  const userData = newUserData()
  const counters = { checkIns: 50_000_000, auditEntries: 1_000 }
  await makeLargeFleet(join(userData, 'data'), { ...fleet, ...counters })
  opened = await openConsole({ userData })
  await opened.goTo('Devices')
}, SEED_TIME)
afterAll(() => opened?.close())

/** What a list is sorted by; where that is the same for two, the device that came first is first. */
const SORTS = {
  'Last seen': (device: number) => -seenAfter(device, fleet),
  'First seen': (device: number) => device,
  Device: (device: number) => Number.parseInt(largeDeviceId(device).slice(0, 8), 16),
  Version: (device: number) => VERSIONS.indexOf(largeProfile(device).version),
} as const

/** The numbers of all devices in the order of the list, from the lowest. */
function inOrder(by: (device: number) => number): Float64Array {
  // A key and a number in one: what is sorted as plain numbers takes no comparing function.
  const room = 2 ** 20
  return Float64Array.from({ length: DEVICES }, (_, at) => by(at + 1) * room + at + 1)
    .sort()
    .map((both) => ((both % room) + room) % room)
}

const table = () => opened.page.getByRole('table', { name: `Devices of ${LARGE_APP}` })
const button = (name: string) => opened.page.getByRole('button', { name, exact: true })
const count = (text: string) =>
  opened.page.getByRole('status').filter({ hasText: new RegExp(`^${text}$`) })

/** The cells that the seed tells, row by row. */
async function shown(): Promise<string[]> {
  await opened.page.locator('[data-waiting=false]').waitFor()
  return await table()
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => {
        // A long id is there twice, whole and cut.
        const cells = [...row.querySelectorAll('td')].map(
          (cell) =>
            cell.querySelector('[title]')?.getAttribute('title') ?? cell.textContent?.trim(),
        )
        const times = [...row.querySelectorAll('time')].map((time) => time.textContent?.trim())
        return [...cells.slice(0, 3), times.every(Boolean) ? 'seen' : 'blank'].join(' ')
      }),
    )
}

function rowsOf(devices: Iterable<number>): string[] {
  return Array.from(devices, (device) => {
    const { version, channel } = largeProfile(device)
    return `${largeDeviceId(device)} ${version} ${channel} seen`
  })
}

test('the list begins with the most recently seen devices', async () => {
  await count('1.000.000 devices').waitFor()
  expect(await shown()).toEqual(rowsOf(inOrder(SORTS['Last seen']).reverse().subarray(0, PER_PAGE)))
})

for (const [heading, by] of Object.entries(SORTS)) {
  test(`sorted by ${heading.toLowerCase()} in both directions, the first two pages are correct`, async () => {
    const ascending = inOrder(by)
    const column = table().getByRole('columnheader', { name: heading })
    for (let turn = 0; turn < 2; turn++) {
      const before = await column.getAttribute('aria-sort')
      await button(heading).click()
      await expect.poll(() => column.getAttribute('aria-sort')).not.toBe(before)
      // From the other end the second page is the last but one.
      const up = (await column.getAttribute('aria-sort')) === 'ascending'
      const order = up ? ascending : ascending.toReversed()
      await expect.poll(shown).toEqual(rowsOf(order.subarray(0, PER_PAGE)))
      await button('Next').click()
      await expect.poll(shown).toEqual(rowsOf(order.subarray(PER_PAGE, 2 * PER_PAGE)))
    }
  })
}

test('a device is found by the beginning of its ID, and opened', async () => {
  const { page } = opened
  const wanted = 777_777
  const { version, platform, arch } = largeProfile(wanted)
  const beginning = largeDeviceId(wanted).slice(0, 5)
  const found = Array.from({ length: DEVICES }, (_, at) => largeDeviceId(at + 1)).filter((id) =>
    id.startsWith(beginning),
  )
  await page.getByRole('searchbox', { name: 'Search' }).fill(beginning)
  await count(`${found.length} of 1.000.000 devices?`).waitFor()
  expect((await shown()).map((row) => row.split(' ')[0]).sort()).toEqual(found.sort())
  await table()
    .getByRole('link', { name: largeDeviceId(wanted) })
    .click()
  await page.getByRole('heading', { level: 1, name: largeDeviceId(wanted) }).waitFor()
  const checkIns = page.getByRole('table', { name: 'Check-ins' }).getByRole('row')
  await expect.poll(() => checkIns.nth(1).innerText()).toContain(version)
  await page
    .getByText(new RegExp(`${platform}.*${arch}|${arch}.*${platform}`))
    .first()
    .waitFor()
})
