import { describe, expect, test } from 'vitest'
import type { ServerConfigInput } from '../../../../src/server/config.ts'
import type { LabelMap } from '../../../../src/shared/names.ts'
import { item } from '../../../support/builders/devices.ts'
import { expectError, publish } from '../../../support/servers/calls.ts'
import { checkAs, offeredTo, plan, report } from '../../../support/servers/fleet-calls.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

const BETA = { targets: { matchLabels: { ring: ['beta', 'internal'] } } }

/** 1.1.0 for everyone, 1.2.0 for the rings beta and internal. */
async function startTargeted(config: Partial<ServerConfigInput> = {}): Promise<TestServer> {
  const server = await startWithApp(config)
  await publish(server, '1.1.0')
  await publish(server, '1.2.0', BETA)
  return server
}

async function usedBudgets(server: TestServer): Promise<unknown> {
  return (await server.call('GET', '/healthz', { key: null })).body.budgets
}

function labelsOf(server: TestServer, device: string): Promise<LabelMap | undefined> {
  const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  return server.fleet.labelsOf(app, [device]).then(([labels]) => labels)
}

describe('labels of a check', () => {
  test('count for this check, and stay for those after it', async () => {
    const server = await startTargeted()
    const device = 'one'
    expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')
    expect(await offeredTo(server, '1.0.0', { device, query: '?l.ring=beta' })).toBe('1.2.0')
    expect(await offeredTo(server, '1.0.0', { device })).toBe('1.2.0')
    expect(await offeredTo(server, '1.0.0', { device: 'other' })).toBe('1.1.0')
  })

  test('stay over a restart of the server', async () => {
    const first = await startTargeted()
    await offeredTo(first, '1.0.0', { device: 'one', query: '?l.ring=beta&l.site=Z%C3%BCrich+1' })
    await first.stop()
    const second = await startServer({ dataFolder: first.folder })
    expect(await offeredTo(second, '1.0.0', { device: 'one' })).toBe('1.2.0')
    expect(await labelsOf(second, 'one')).toEqual({ ring: 'beta', site: 'Zürich 1' })
  })

  test('merge over those of a report: they replace, add and remove', async () => {
    const server = await startTargeted()
    await report(server, [item('one', { labels: { ring: 'beta', site: 'a', team: 'x' } })])
    expect(await offeredTo(server, '1.0.0', { device: 'one' })).toBe('1.2.0')
    const query = '?l.ring=stable&l.team=&l.new=1'
    expect(await offeredTo(server, '1.0.0', { device: 'one', query })).toBe('1.1.0')
    expect(await labelsOf(server, 'one')).toEqual({ ring: 'stable', site: 'a', new: '1' })
  })

  test('an empty value removes a label, for this check already', async () => {
    const server = await startTargeted()
    const device = 'one'
    await offeredTo(server, '1.0.0', { device, query: '?l.ring=beta' })
    expect(await offeredTo(server, '1.0.0', { device, query: '?l.ring=' })).toBe('1.1.0')
    expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')
    expect(await labelsOf(server, device)).toEqual({})
  })

  test('are kept if no release asks for them', async () => {
    const server = await startWithApp()
    await offeredTo(server, '1.0.0', { device: 'one', query: '?l.ring=beta' })
    await publish(server, '1.1.0', BETA)
    expect(await offeredTo(server, '1.0.0', { device: 'one' })).toBe('1.1.0')
  })

  test('without a device header are used only for the check', async () => {
    const server = await startTargeted()
    expect(await offeredTo(server, '1.0.0', { query: '?l.ring=internal' })).toBe('1.2.0')
    expect(await offeredTo(server, '1.0.0')).toBe('1.1.0')
  })

  test('are decoded in key and value, and the last of one key counts', async () => {
    const server = await startTargeted()
    const offered = (query: string) => offeredTo(server, '1.0.0', { query })
    expect(await offered('?l.ring=b%65ta')).toBe('1.2.0')
    expect(await offered('?l%2Ering=beta')).toBe('1.2.0')
    expect(await offered('?%6C.ring=beta')).toBe('1.2.0')
    expect(await offered('?l.ring=stable&x=1&l.ring=beta')).toBe('1.2.0')
    expect(await offered('?l.ring=beta&l.ring=stable')).toBe('1.1.0')
    expect(await offered('?l.Ring=beta')).toBe('1.1.0')
  })

  test('may have the keys of every object', async () => {
    const server = await startWithApp()
    const targets = { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }
    await publish(server, '1.1.0', { targets })
    expect(await offeredTo(server, '1.0.0', { device: 'one' })).toBeNull()
    const query = '?l.constructor=x'
    expect(await offeredTo(server, '1.0.0', { device: 'one', query })).toBe('1.1.0')
    expect(await offeredTo(server, '1.0.0', { device: 'one' })).toBe('1.1.0')
  })

  test('that are invalid are refused by name, and nothing is stored', async () => {
    const server = await startTargeted()
    const many = Array.from({ length: 65 }, (_, at) => `l.k${at}=x`).join('&')
    const refused: Readonly<Record<string, RegExp>> = {
      '?l.ring=beta&l.-x=1': /^l\.-x: is not a label key/,
      '?l.ring=beta&l.=1': /^l\.: is not a label key/,
      [`?l.ring=${'x'.repeat(257)}`]: /^l\.ring: must be at most 256 characters/,
      [`?${many}`]: /at most 64 labels/,
    }
    for (const [query, message] of Object.entries(refused)) {
      const answer = await checkAs(server, '1.0.0', { device: 'one', query })
      expect(expectError(answer, 400), query.slice(0, 40)).toMatch(message)
    }
    expect(await labelsOf(server, 'one')).toEqual({})
    const longest = { device: 'one', query: `?l.${'k'.repeat(63)}=${'x'.repeat(256)}` }
    expect(await offeredTo(server, '1.0.0', longest)).toBe('1.1.0')
  })

  test('beyond the 64 that a device holds count for this check, and are not kept', async () => {
    const server = await startTargeted()
    const full = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`k${at}`, 'x']))
    await report(server, [item('one', { labels: full })])
    const device = 'one'
    expect(await offeredTo(server, '1.0.0', { device, query: '?l.ring=beta' })).toBe('1.2.0')
    expect(await labelsOf(server, device)).toEqual(full)
    expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')
    expect(await usedBudgets(server)).toMatchObject([{ name: 'labels', count: 1 }])
    const swap = { device, query: '?l.ring=beta&l.k0=' }
    expect(await offeredTo(server, '1.0.0', swap)).toBe('1.2.0')
    expect(await labelsOf(server, device)).toMatchObject({ ring: 'beta' })
  })

  test('beyond the bytes that a device holds count for this check, and are not kept', async () => {
    const server = await startTargeted({ budgets: { labelBytes: 300 } })
    const device = 'one'
    // 3 bytes of UTF-8 a character.
    const site = encodeURIComponent('€'.repeat(98))
    expect(await offeredTo(server, '1.0.0', { device, query: `?l.site=${site}` })).toBe('1.1.0')
    expect(await usedBudgets(server)).toEqual([])
    expect(await offeredTo(server, '1.0.0', { device, query: '?l.ring=beta' })).toBe('1.2.0')
    expect(Object.keys((await labelsOf(server, device)) ?? {})).toEqual(['site'])
    expect(await usedBudgets(server)).toMatchObject([{ name: 'labels' }])

    const refused = await report(server, [item('two'), item(device, { labels: { ring: 'beta' } })])
    expect(expectError(refused, 400)).toBe(
      'devices.1.labels: exceeds the limit of 300 bytes of labels per device',
    )
    const planned = await plan(server, [item(device, { labels: { ring: 'beta' } })])
    expect(expectError(planned, 400)).toMatch(/^devices\.0\.labels: /)
    const swap = { labels: { ring: 'beta', site: '' } }
    expect((await report(server, [item(device, swap)])).status).toBe(200)
    expect(await labelsOf(server, device)).toEqual({ ring: 'beta' })
  })
})
