// @module-tag postgresql

import { createServer } from 'node:http'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { joinNodes } from '../../../src/server/compose/watch-parts.ts'
import type { LiveFeed } from '../../../src/server/fleet/ingest/live-feed.ts'
import { health } from '../../../src/server/http/status/health.ts'
import {
  CheckCounts,
  DownloadCounts,
  EnvelopeCounts,
} from '../../../src/server/monitoring/counts.ts'
import { Metrics } from '../../../src/server/monitoring/metrics.ts'
import { DisposerStack } from '../../../src/server/runtime/async/disposer-stack.ts'
import { Changes } from '../../../src/server/storage/postgres/changes/changes.ts'
import {
  openPostgresNodes,
  type PostgresNodes,
} from '../../../src/server/storage/postgres/nodes/nodes.ts'
import type { OwnNode } from '../../../src/server/storage/postgres/nodes/own-node.ts'
import { eventually } from '../../support/eventually.ts'
import { apiContextOf } from '../../support/servers/api-context.ts'
import { callerOf } from '../../support/servers/console.ts'
import { listenLocally } from '../../support/servers/listen.ts'
import { request, startWithApp, type TestServer } from '../../support/servers/server.ts'
import { join, open, served } from '../storage/postgres/nodes/set-up.ts'

const FINE = { alarms: [], telemetryFailure: null, bucketOutage: null, budgets: [], lost: 0 }

/** A server, and what joins it to a database as one of its nodes. Until it opens the database itself. */
interface Joined {
  readonly server: TestServer
  readonly node: OwnNode
  readonly nodes: PostgresNodes
  readonly feed: LiveFeed
}

async function joinServer(url: string, name: string, version = '1.0.0'): Promise<Joined> {
  const database = await open(url)
  const [server, node, changes] = await Promise.all([
    startWithApp(),
    join(database, name, { version, leaseTime: 2_000 }),
    Changes.open(database),
  ])
  onTestFinished(() => changes.close())
  const nodes = await openPostgresNodes(database, node, { changes, interval: 50 })
  onTestFinished(() => nodes.close())
  const { fleet } = server.consoleContext
  const closing = new DisposerStack()
  joinNodes({ storage: { nodes }, config: {}, fleet, trouble: () => FINE, closing })
  onTestFinished(() => closing.close())
  await served(node)
  return { server, node, nodes, feed: fleet.feed }
}

async function check({ address }: TestServer, device: string): Promise<void> {
  const headers = { 'x-service-device': device }
  await request(`${address}/u/editor/stable/linux/x86_64/1.0.0`, 'GET', { headers })
}

async function twoServers(): Promise<readonly [Joined, Joined]> {
  const { url } = await open()
  return [await joinServer(url, 'one'), await joinServer(url, 'two', '2.0.0')]
}

const consoleOf = ({ server, nodes }: Joined) => {
  const consoleContext: TestServer['consoleContext'] = { ...server.consoleContext, nodes }
  return callerOf({ consoleContext })
}

test('the console lists the nodes with what they tell', async () => {
  const [one, two] = await twoServers()
  await eventually(async () => {
    expect(await consoleOf(one).nodes.list()).toEqual({
      age: expect.any(Number),
      failing: false,
      nodes: [one, two].map(({ node }) => ({
        ...{ id: node.id, name: node.name, own: node === one.node, address: null, files: null },
        version: node === one.node ? '1.0.0' : '2.0.0',
        startedAt: expect.stringMatching(/^20.*Z$/),
        leaseLeft: expect.any(Number),
        ...{ behind: 0, leads: [], queued: 0, lost: 0, checkInRate: expect.any(Number) },
        ...{ memory: expect.any(Number), delay: expect.any(Number) },
      })),
    })
  })
})

test('health and metrics say whether the node may serve', async () => {
  const [one, two] = await twoServers()
  await eventually(() => expect(one.nodes.count).toBe(2))
  const app = express().get('/healthz', health({ ...apiContextOf(one.server), nodes: one.nodes }))
  const host = await listenLocally(createServer(app))
  const ask = async () => {
    const response = await fetch(`http://${host}/healthz`)
    return { status: response.status, body: await response.json() }
  }
  const metrics = new Metrics({
    ...{ monitor: one.server.monitor, catalog: one.server.consoleContext.catalog },
    ...{ checks: new CheckCounts(), downloads: new DownloadCounts() },
    envelopes: new EnvelopeCounts(),
    ...{ version: '1.0.0', nodes: one.nodes },
  })
  expect(await ask()).toMatchObject({
    status: 200,
    body: { status: 'ok', node: { name: 'one', lease: 'ok', changesBehind: 0, nodes: 2 } },
  })
  expect(await metrics.read()).toContain(`\ntidegate_node_info{id="${one.node.id}",name="one"} 1\n`)
  expect(await metrics.read()).toContain('\ntidegate_nodes{state="serving"} 2\n')
  expect(await metrics.read()).toContain('\ntidegate_node_changes_behind{part="catalog"} 0\n')
  await two.node.leave()
  await one.node.leave()
  await eventually(async () => {
    expect(await metrics.read()).toContain('\ntidegate_nodes{state="serving"} 0\n')
  })
  expect(await metrics.read()).toContain('\ntidegate_node_lease_seconds 0\n')
  expect(await ask()).toMatchObject({
    status: 503,
    body: { status: 'failing', database: { state: 'ok' }, node: { lease: 'ended', nodes: 1 } },
  })
})

test('whoever watches on one node sees check-ins that came to another', async () => {
  const [one, two] = await twoServers()
  const seen: (string | null)[] = []
  const leave = one.feed.subscribe(({ deviceId }) => seen.push(deviceId))
  await eventually(async () => {
    await check(two.server, 'far')
    expect(seen).toContain('far')
  })
  await check(one.server, 'near')
  await one.server.fleet.settled()
  expect(seen).toContain('near')
  leave()
  await eventually(() => {
    expect(one.nodes.list().nodes.every(({ state }) => !state.watching)).toBe(true)
  })
  await Promise.all([one.server.fleet.settled(), two.server.fleet.settled()])
  const [before, announced] = [one.feed.sequence, two.feed.announced]
  await check(two.server, 'unseen')
  await two.server.fleet.settled()
  expect(two.feed.announced).toBe(announced + 1)
  expect(one.feed.sequence).toBe(before)
})
