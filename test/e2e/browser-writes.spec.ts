import type { Locator, Route } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { CallError } from '../../src/shared/console/bridge/bridge.ts'
import { PASSWORD } from '../support/builders/people.ts'
import { CATALOG } from './support/writes/catalog.ts'
import { OWN_ACCOUNT, PEOPLE } from './support/writes/people.ts'
import { RELEASES } from './support/writes/releases.ts'
import { SERVER } from './support/writes/server.ts'
import { openAt, openWorld, type World } from './support/writes/world.ts'
import type { Write } from './support/writes/write.ts'

const WRITES: Readonly<Record<string, Write>> = {
  ...PEOPLE,
  ...SERVER,
  ...CATALOG,
  ...RELEASES,
  ...OWN_ACCOUNT,
}

let world: World

beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  // Some ask who it is otherwise.
  await world.call('session.confirm', { password: PASSWORD })
})
afterAll(() => world?.close())

const FAILED: CallError = { code: 'internal', reason: 'database_unwritable' }

/** What happens to the calls of a procedure; they pass where there is none. */
type Fault = 'fails' | 'hangs' | 'loses its answer' | 'is refused by a proxy'

/** Puts a fault before each call of a procedure, in that order. Returns the names of the calls. */
async function interfere(path: string, faults: Fault[]) {
  const names: (string | undefined)[] = []
  const way = `**/console/{api,account}/${path}*`
  const handle = async (route: Route) => {
    names.push(route.request().headers()['idempotency-key'])
    const fault = faults.shift()
    if (fault === 'fails') {
      const error = { message: 'failed', code: -32_603, data: { callError: FAILED } }
      await route.fulfill({ status: 500, json: [{ error }] })
    } else if (fault === 'is refused by a proxy') {
      await route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>503</h1>' })
    } else if (fault === 'loses its answer') {
      await route.fetch()
      await route.abort()
    } else if (fault === undefined) await route.fallback()
  }
  await world.page.route(way, handle)
  return { names, end: () => world.page.unroute(way, handle) }
}

const Total = z.object({ total: z.int() })
const audited = async () => Total.parse(await world.call('audit.list', { perPage: 1 })).total

/** What is typed and chosen in a dialog or on a screen. */
const typed = (place: Locator) =>
  place.evaluate((element) =>
    [...element.querySelectorAll<HTMLInputElement>('input, textarea')].map((field) =>
      field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value,
    ),
  )

test.each(Object.entries(WRITES))(
  '%s: says what happened, keeps what was typed, and is made once',
  async (name, write) => {
    const { page, main, dialog } = world
    const [path = ''] = name.split(',')
    await openAt(world, await write.at(world))
    await write.open?.(world)
    const place = write.isOnScreen ? main : dialog
    const send = async () => {
      if (write.menu !== undefined) await main.getByRole('button', { name: write.menu }).click()
      const role = write.menu === undefined ? 'button' : 'menuitem'
      const within = write.menu === undefined ? place : page
      const button = within.getByRole(role, { name: write.send, exact: true }).first()
      await expect.poll(() => button.isEnabled()).toBe(true)
      await button.click()
    }
    const done = page.getByText(write.done).first()
    const before = await audited()
    const kept = await typed(place)
    const made = async () => ((await audited()) - before) / (write.audited ?? 1)
    const isUntouched = async () => {
      expect(await typed(place)).toEqual(kept)
      expect(await done.isVisible()).toBe(false)
      if (write.audited !== 0) expect(await made()).toBe(0)
    }
    const { names, end } = await interfere(path, [
      'fails',
      'hangs',
      'loses its answer',
      'is refused by a proxy',
    ])

    await send()
    await page.getByText('The database cannot be written right now.').first().waitFor()
    await isUntouched()

    await send()
    await expect.poll(() => names.length).toBe(2)
    await page.clock.fastForward(16_000)
    await page.clock.setSystemTime(Date.now())
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await page.getByText('it is not known whether the change was made').first().waitFor()
    await isUntouched()

    await send()
    await done.waitFor()
    expect(names.length).toBe(5)
    expect(new Set(names.slice(1)).size).toBe(1)
    if (write.audited !== 0) expect(await made()).toBe(1)
    await end()
    await write.leave?.(world)
    await dialog.waitFor({ state: 'hidden' })
  },
)
