import { expect } from 'vitest'
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

/** Asks for decisions for devices of `editor`; `members` change the body. */
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

/** Reports devices of `editor`; `members` change the body. */
export function report(
  server: TestServer,
  devices: readonly unknown[],
  members: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<Answer> {
  return server.call('POST', REPORT, { body: { app: 'editor', devices, ...members }, ...options })
}

/** The decision about a device in the response to `plan`. */
export interface Decision {
  readonly deviceId: string
  readonly update: Readonly<Record<string, unknown>> | null
  readonly reason: string
}

/** Reasons by device, in the order of the answer. */
export async function reasons(server: TestServer, devices: readonly unknown[], dryRun = true) {
  const { status, body } = await plan(server, devices, { dryRun })
  expect(status, body.error).toBe(200)
  return body.decisions.map(({ reason }: Decision) => reason)
}
