import type { Logger } from 'pino'
import { onTestFinished } from 'vitest'
import { Refusal } from '../../../src/server/catalog/errors.ts'
import type { RunningServer, ServerParts } from '../../../src/server/compose/running-server.ts'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { createServer } from '../../../src/server/server.ts'
import type { Scope } from '../../../src/shared/access/key.ts'
import { PRINCIPAL } from '../builders/actor.ts'
import { preparedFolder } from '../builders/folders.ts'
import { FAST_PASSWORDS } from '../builders/passwords.ts'
import { rememberCode } from './console-codes.ts'
import { expectDocumented } from './documented.ts'
import { databaseOf } from './engine.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body, undefined if there is none. Untyped: tests look at what really came. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server sent
  readonly body: any
}

export interface CallOptions {
  readonly key?: string | null
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The parts behind the use cases, for tests that look into them. */
export type ServerInternals = Pick<RunningServer['consoleContext'], 'catalog' | 'fleet'>

export interface TestServer extends RunningServer, ServerInternals {
  readonly folder: string
  /** A key with all scopes. */
  readonly key: string
  /** Calls the server; every answer is checked against the OpenAPI description. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  mint(input?: { scopes?: readonly Scope[]; app?: string; name?: string }): Promise<string>
}

/**
 * A real server on a free port with a real database in a folder of its own, rate limits and the
 * limits of new devices and of the disk off, passwords that are hashed fast, and refusals that come at once; stopped and
 * removed after the test.
 */
export async function startServer(
  config: Partial<ServerConfigInput> = {},
  log?: Logger,
  parts?: ServerParts,
): Promise<TestServer> {
  const folder = config.dataFolder ?? preparedFolder()
  const limits = { device: 0, key: 0, rejectedKey: 0, ...config.limits }
  const budgets = { newDevices: 0, minFreeDiskMiB: 0, ...config.budgets }
  const database = config.database ?? (await databaseOf(folder))
  const running = await createServer(
    { port: 0, ...config, database, dataFolder: folder, limits, budgets },
    log,
    { ...FAST_PASSWORDS, refusalsHeldFor: { least: 1, most: 5 }, ...parts },
  ).start()
  onTestFinished(() => running.stop())
  rememberCode(running)
  const mint: TestServer['mint'] = async ({ name, ...input } = {}) => {
    for (let number = 1; ; number += 1) {
      const chosen = name ?? (number === 1 ? 'test' : `test ${number}`)
      try {
        return (await running.updates.mintKey(PRINCIPAL, { name: chosen, ...input })).secret
      } catch (error) {
        // Others on the same database have keys, too.
        const isTaken = error instanceof Refusal && error.facts.code === 'key_exists'
        if (!isTaken || name !== undefined) throw error
      }
    }
  }
  const key = await mint()
  const call: TestServer['call'] = async (method, path, options = {}) => {
    const answer = await request(running.address + path, method, { key, ...options })
    expectDocumented(method, path, answer)
    return answer
  }
  const { catalog, fleet } = running.consoleContext
  return { ...running, catalog, fleet, folder, key, call, mint }
}

/** A server with the app `editor` and its channel `stable`. */
export async function startWithApp(
  config: Partial<ServerConfigInput> = {},
  log?: Logger,
  parts?: ServerParts,
): Promise<TestServer> {
  const server = await startServer(config, log, parts)
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  return server
}

/** One request over real HTTP. */
export async function request(
  url: string,
  method: string,
  { key = null, body, raw, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const payload = raw ?? (body === undefined ? null : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    body: payload,
    headers: {
      ...(payload === null ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const { status } = response
  const parsed = isJson && method !== 'HEAD' ? JSON.parse(text) : undefined
  return { status, headers: response.headers, text, body: parsed }
}
