import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { type Connection, dataFile } from '../../../src/server/storage/sqlite/database.ts'
import { connect } from '../builders/fleet-file.ts'
import { artifact } from './calls.ts'
import type { Answer, CallOptions, TestServer } from './server.ts'

export const DECISIONS = '/api/v1/fleet/decisions'
export const REPORT = '/api/v1/fleet/report'

/** The members of a manifest, all there are. */
export const MANIFEST_MEMBERS = [
  'version',
  'notes',
  'pub_date',
  'url',
  'sha512',
  'signature',
  'size',
  'updateMode',
  'minimumSupportedVersion',
  'allowDowngrade',
]

/** An artifact for that platform and arch, with an address of its own. */
export function artifactFor(platform: string, arch: string) {
  return artifact({ platform, arch, url: `https://downloads.example/${platform}/${arch}` })
}

export interface CheckOptions {
  readonly device?: string | null
  readonly app?: string
  readonly channel?: string
  readonly platform?: string
  readonly arch?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An update check, by default of a darwin device on aarch64 without a device header. */
export function checkAs(
  server: TestServer,
  version: string,
  { device = null, query = '', headers = {}, ...path }: CheckOptions = {},
): Promise<Answer> {
  const { app = 'editor', channel = 'stable', platform = 'darwin', arch = 'aarch64' } = path
  return server.call('GET', `/u/${app}/${channel}/${platform}/${arch}/${version}${query}`, {
    key: null,
    headers: { ...(device === null ? {} : { 'x-service-device': device }), ...headers },
  })
}

/** The version that a check is offered, or null; anything but an offer or none fails the test. */
export async function offeredTo(
  server: TestServer,
  version: string,
  options: CheckOptions = {},
): Promise<string | null> {
  const { status, body, text } = await checkAs(server, version, options)
  if (status === 204) return null
  expect(status, text).toBe(200)
  return body.version
}

/** A device of a fleet call. */
export function item(deviceId: string, members: Readonly<Record<string, unknown>> = {}) {
  return { deviceId, version: '1.0.0', platform: 'darwin', arch: 'aarch64', ...members }
}

export function plan(
  server: TestServer,
  devices: readonly unknown[],
  members: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<Answer> {
  return server.call('POST', DECISIONS, {
    body: { app: 'editor', devices, ...members },
    ...options,
  })
}

export function report(
  server: TestServer,
  devices: readonly unknown[],
  members: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<Answer> {
  return server.call('POST', REPORT, { body: { app: 'editor', devices, ...members }, ...options })
}

/** Where a device stands in a rollout, by the rule as it is written down. */
export function bucketOf(releaseId: string, deviceId: string): number {
  const digest = createHash('sha256').update(`${releaseId}:${deviceId}`).digest()
  return digest.readUInt32BE(0) / 2 ** 32
}

/** A device whose bucket in that release lies in the range, `to` excluded. */
export function deviceWithin(releaseId: string, from: number, to: number): string {
  for (let number = 0; ; number++) {
    const device = `device-${number}`
    const bucket = bucketOf(releaseId, device)
    if (bucket >= from && bucket < to) return device
  }
}

/** A second connection to the server's database, as another program would have it. */
export function connectTo({ folder }: { readonly folder: string }): Connection {
  return connect(dataFile(folder))
}

/** How many rows the table has. */
export function countRows(database: Connection, table: string): number {
  return Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
}
