import type { Locator, Route } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { consoleRouter } from '../../src/server/console/router.ts'
import { accountRouter } from '../../src/server/web-console/account.ts'
import type { CallError } from '../../src/shared/console/bridge/bridge.ts'
import { PASSWORD } from '../support/builders/people.ts'
import { APPROVALS } from './support/writes/approvals.ts'
import { CATALOG } from './support/writes/catalog.ts'
import { ELSEWHERE } from './support/writes/elsewhere.ts'
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
  ...APPROVALS,
  ...OWN_ACCOUNT,
}

const pathOf = (name: string) => name.split(',')[0] ?? ''

let world: World

beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  // Some ask who it is otherwise.
  await world.call('session.confirm', { password: PASSWORD })
})
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  // What it left open, or still asks about, fails no other.
  await world.page.unrouteAll({ behavior: 'ignoreErrors' })
  await world.page.reload()
})
afterAll(() => world?.close())

const FAILED: CallError = { code: 'internal', reason: 'database_unwritable' }

/** What happens to the calls of a procedure; they pass where there is none. */
type Fault = 'fails' | 'hangs' | 'loses its answer' | 'is refused by a proxy'

/** Puts faults before the calls of a procedure, in that order; they hang until `goOn`. Returns the names of the calls. */
async function interfere(path: string, faults: Fault[]) {
  const names: (string | undefined)[] = []
  const way = `**/console/{api,account}/${path}*`
  const handle = async (route: Route) => {
    names.push(route.request().headers()['idempotency-key'])
    const fault = faults[0] === 'hangs' ? 'hangs' : faults.shift()
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
  return { names, goOn: () => faults.shift(), end: () => world.page.unroute(way, handle) }
}

/** Lets the page wait longer than it does for an answer. */
async function passTime(): Promise<void> {
  await world.page.clock.fastForward(16_000)
  // The age of a call is compared with that of the server.
  await world.page.clock.setSystemTime(Date.now())
}

const Page = z.object({ entries: z.array(z.object({ id: z.int(), action: z.string() })) })

/** What the server does by itself comes at any time. */
const BY_PEOPLE = { actorKind: 'person', perPage: 10 }

/** Returns what the audit log has since; the id of its latest entry is the moment. */
async function audited(since = 0): Promise<{ actions: string[]; last: number }> {
  const { entries } = Page.parse(await world.call('audit.list', BY_PEOPLE))
  const actions = entries.filter(({ id }) => id > since).map(({ action }) => action)
  return { actions, last: entries[0]?.id ?? 0 }
}

/** What is typed and chosen in a dialog or on a screen. */
const typed = (place: Locator) =>
  place.evaluate((element) =>
    [...element.querySelectorAll<HTMLInputElement>('input, textarea')].map((field) =>
      field.type === 'checkbox' || field.type === 'radio' ? field.checked : field.value,
    ),
  )

test('every write of the console is here, or somewhere else for a reason', () => {
  const mutations = [consoleRouter, accountRouter].flatMap(({ _def }) =>
    Object.keys(_def.procedures).filter((path) => {
      const { type } = Reflect.get(_def.procedures, path)._def
      return type === 'mutation'
    }),
  )
  const known = [...Object.keys(WRITES).map(pathOf), ...Object.keys(ELSEWHERE)]
  expect([...new Set(known)].sort()).toEqual(mutations.sort())
})

test('a stop without an answer is left, and carried out once when it is asked for again', async () => {
  const { page, button, dialog } = world
  const app = await world.release('1.0.0')
  await openAt(world, `#/releases/${app}/stable/1.0.0`)
  const { last } = await audited()
  const { names, goOn, end } = await interfere('releases.stop', [
    'hangs',
    'loses its answer',
    'is refused by a proxy',
  ])
  await button('Stop 1.0.0').click()
  await expect.poll(() => names.length).toBe(1)
  await passTime()
  await dialog.getByText('Checking whether it was stopped').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await page.getByText('Unconfirmed: 1.0.0 not stopped').waitFor()
  expect(await page.getByText('1.0.0 is paused').count()).toBe(0)
  goOn()
  await button('Stop 1.0.0').click()
  await dialog.getByText('1.0.0 is paused').waitFor()
  expect((await audited(last)).actions).toEqual(['release.serving_changed'])
  expect(new Set(names).size).toBe(1)
  await end()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
})

// The last one changes the password.
test.each(Object.entries(WRITES))(
  '%s: says what happened, keeps what was typed, and is made once',
  async (name, write) => {
    const { page, main, dialog } = world
    const path = pathOf(name)
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
    const { last } = await audited()
    const fields = async () => (write.open === undefined ? [] : await typed(place))
    const kept = await fields()
    const isUntouched = async () => {
      expect(await fields()).toEqual(kept)
      expect(await done.isVisible()).toBe(false)
      expect((await audited(last)).actions).toEqual([])
    }
    const { names, goOn, end } = await interfere(path, [
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
    await passTime()
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await page.getByText('it is not known whether the change was made').first().waitFor()
    await isUntouched()

    goOn()
    await send()
    await done.waitFor()
    // Others hear of what was done before the caller gets an answer.
    await expect.poll(() => names.length).toBeGreaterThanOrEqual(5)
    expect(new Set(names.slice(1)).size).toBe(1)
    expect((await audited(last)).actions).toHaveLength(write.audited ?? 1)
    await end()
    await write.leave?.(world)
    await dialog.waitFor({ state: 'hidden' })
  },
)
