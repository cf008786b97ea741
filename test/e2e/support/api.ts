import type { Page } from 'playwright'
import { z } from 'zod'
import type { CallResult } from '../../../src/shared/console/bridge/bridge.ts'
import type { ReleaseConsole } from './console.ts'

/** A hash in the form that artifacts have; nothing is downloaded in these specs. */
export const SHA512 = 'ab'.repeat(64)

const Minted = z.object({ secret: z.string() })
const Answer = z.object({ ok: z.literal(true), data: z.unknown() })

/** Changes something as the page does, without its screen; answers what the server answers. */
export async function mutate(
  { page }: Pick<ReleaseConsole, 'page'>,
  path: string,
  input: object,
): Promise<unknown> {
  // The bridge is there once the page shows something.
  await page.getByRole('heading', { level: 1 }).waitFor()
  return Answer.parse(await callConsole(page, 'mutation', path, input)).data
}

/** Calls a procedure of the server as the page does, behind its back. */
export function callConsole(
  page: Page,
  type: 'query' | 'mutation',
  path: string,
  input?: unknown,
): Promise<CallResult> {
  return page.evaluate(
    async (request) => {
      if (window.tidegate !== undefined) return window.tidegate.call(request)
      const answer = await fetch(new URL(`api/${request.path}`, document.baseURI), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'tidegate-console': '1' },
        ...(request.input === undefined ? {} : { body: JSON.stringify(request.input) }),
      })
      const { result, error } = await answer.json()
      return error === undefined
        ? { ok: true, data: result.data }
        : { ok: false, error: error.data.callError }
    },
    { type, path, input },
  )
}

/** Mints a key without the screen of the keys. */
export async function mintKey(opened: ReleaseConsole): Promise<string> {
  const scopes = ['read', 'publish', 'serve', 'fleet']
  const answer = await mutate(opened, 'keys.mint', { name: 'pipeline', scopes, app: null })
  return Minted.parse(answer).secret
}

/** The keys with which the API is called behind the console's back, one for each page. */
const keys = new WeakMap<Page, Promise<string>>()

function keyOf(opened: ReleaseConsole): Promise<string> {
  const key = keys.get(opened.page) ?? mintKey(opened)
  keys.set(opened.page, key)
  return key
}

/** A call as a build machine makes it, with a key that may do everything unless it is told one; answers status and body. */
export async function callApi(
  opened: ReleaseConsole,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: unknown,
  key?: string,
): Promise<{ status: number; body: unknown }> {
  const authorization = `Bearer ${key ?? (await keyOf(opened))}`
  const answer = await fetch(`${opened.address}/api/v1/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

/** The body of a publish call with one artifact, for Linux. */
export function releaseBody(version: string, more: Readonly<Record<string, unknown>> = {}) {
  const url = `https://downloads.example.com/${version}/editor.bin`
  const artifacts = [{ platform: 'linux', arch: 'x86_64', url, sha512: SHA512 }]
  return { app: 'editor', channel: 'stable', version, artifacts, ...more }
}

const Published = z.object({ release: z.object({ id: z.string() }) })

/** Publishes as a build machine does. Returns the id of the release. */
export async function publishByApi(
  opened: ReleaseConsole,
  version: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { status, body } = await callApi(opened, 'POST', 'releases', releaseBody(version, more))
  if (status !== 201) throw new Error(`publish answered ${status}: ${JSON.stringify(body)}`)
  return Published.parse(body).release.id
}
