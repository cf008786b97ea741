import { afterAll, beforeAll, expect, test } from 'vitest'
import { FleetRange } from '../../src/shared/console/fleet.ts'
import { DASHBOARD_CHECK_INS, recountDashboard } from '../support/check-in-log/dashboard.ts'
import { type DemoConsole, openDemo } from './support/demo.ts'
import { goToAddress } from './support/release-console.ts'

let opened: DemoConsole

beforeAll(async () => {
  opened = await openDemo()
  await opened.goTo('Fleet')
})
afterAll(() => opened?.close())

const main = () => opened.page.getByRole('main')
const live = () => main().getByRole('region', { name: 'Live check-ins', exact: true })

async function look(app: string, range: FleetRange): Promise<void> {
  const { page } = opened
  await goToAddress(page, `#/fleet?app=${app}&range=${range}`)
  await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor()
}

/** The numbers of a chart's table, as they are read aloud, row by row. */
function numbersOf(title: string): Promise<number[][]> {
  return main()
    .getByRole('region', { name: title, exact: true })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent?.replace(/\D/g, ''))),
      ),
    )
}

/** The same numbers, counted anew from every check-in that is stored. */
function recounted(app: string, range: FleetRange): Record<string, number[][]> {
  const { adoption, traffic, platforms } = recountDashboard(
    opened.database.prepare<[], unknown[]>(DASHBOARD_CHECK_INS).raw().all(),
    { app, range },
    Date.now(),
  )
  const byStep = (columns: readonly (readonly number[])[]) =>
    (columns[0] ?? []).map((_, step) => columns.map((column) => column[step] ?? 0)).toReversed()
  return {
    Versions: byStep([adoption.total, ...adoption.bands.map(({ devices }) => devices)]),
    'Check-ins': byStep([traffic.checkIns, traffic.offers, traffic.anonymous]),
    Platforms: platforms.rows.map(({ devices }) => [devices]),
  }
}

for (const range of FleetRange.options) {
  test(`the tables of ${range} equal a recount of the raw check-ins`, async () => {
    for (const app of ['lantern', 'parley', 'sift']) {
      await look(app, range)
      for (const title of ['Versions', 'Check-ins', 'Platforms']) {
        await expect
          .poll(() => numbersOf(title), { message: `${title} of ${app}` })
          .toEqual(recounted(app, range)[title])
      }
    }
  })
}

test('a check appears in the live feed immediately, but not while it is paused', async () => {
  const { address, page } = opened
  const check = async (device: string) => {
    const headers = { 'x-service-device': device }
    const answer = await fetch(`${address}/u/lantern/stable/darwin/aarch64/1.9.0`, { headers })
    expect([200, 204]).toContain(answer.status)
  }
  await look('lantern', '7d')
  // The feed of the app before may still be shown: only what comes says whose feed it is.
  await expect
    .poll(async () => {
      await check('comes-now')
      return live().getByRole('link', { name: 'comes-now' }).count()
    })
    .toBeGreaterThan(0)
  await live().getByRole('button', { name: 'Pause' }).click()
  await page.mouse.move(0, 0)
  await check('comes-later')
  await live()
    .getByText(/^Paused, [1-9]\d* new check-ins?/)
    .waitFor()
  expect(await live().getByRole('link', { name: 'comes-later' }).count()).toBe(0)
  await live().getByRole('button', { name: 'Resume' }).click()
  await live().getByRole('link', { name: 'comes-later' }).waitFor()
})
