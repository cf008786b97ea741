import { expect } from 'vitest'
import type { AuditRecord } from '../../../src/server/catalog/audit-log.ts'
import { setChannelPolicy } from '../../../src/server/catalog/channel-policy.ts'
import type { ChannelPolicy } from '../../../src/shared/releases/channel.ts'
import { ACTOR } from '../builders/actor.ts'
import { DEVICE } from '../builders/devices.ts'
import { publishBody } from '../builders/releases.ts'
import { type Answer, type CallOptions, startWithApp, type TestServer } from './server.ts'

export const RELEASES = '/api/v1/releases'

/** Publishes and answers the release. */
export async function publish(
  server: TestServer,
  version: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<Answer['body']> {
  const { status, body } = await server.call('POST', RELEASES, {
    body: publishBody(version, members),
  })
  expect(status, body.error).toBe(201)
  return body.release
}

/** Changes how a release of `editor/stable` is served. */
export function serve(
  server: TestServer,
  version: string,
  change: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<Answer> {
  const body = { app: 'editor', channel: 'stable', version, ...change }
  return server.call('PATCH', RELEASES, { body, ...options })
}

/** Changes the policy of `editor/stable`. */
export const setPolicy = (server: TestServer, change: Partial<ChannelPolicy>) =>
  setChannelPolicy(server.catalog, ACTOR, { app: 'editor', channel: 'stable', change })

/** A server with those versions published, in that order. */
export async function startWith(...versions: string[]): Promise<TestServer> {
  const server = await startWithApp()
  for (const version of versions) await publish(server, version)
  return server
}

/** An update check of a darwin device on aarch64. */
export function check(
  server: TestServer,
  version: string,
  { device = DEVICE as string | null, channel = 'stable', query = '' } = {},
): Promise<Answer> {
  const headers: Record<string, string> = device === null ? {} : { 'X-Service-Device': device }
  const path = `/u/editor/${channel}/darwin/aarch64/${version}${query}`
  return server.call('GET', path, { key: null, headers })
}

/** The release as the list shows it now. */
export async function shown(server: TestServer, version: string): Promise<Answer['body']> {
  const { body } = await server.call('GET', `${RELEASES}?per_page=100`)
  return body.releases.find((release: { version: string }) => release.version === version)
}

/** Returns the audit log, oldest first, optionally of one action. */
export async function auditOf(server: TestServer, action?: string): Promise<AuditRecord[]> {
  const entries = await server.catalog.store.audit({ limit: 10_000 })
  return entries.filter((entry) => action === undefined || entry.action === action).reverse()
}

/** Expects exactly `{ error }` in JSON, and answers the message. */
export function expectError(answer: Answer, status: number): string {
  expect(answer.text).toMatch(/^\{"error":/)
  expect({ status: answer.status, members: Object.keys(answer.body) }).toEqual({
    status,
    members: ['error'],
  })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body.error).toBeTypeOf('string')
  return answer.body.error
}
