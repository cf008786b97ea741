import { once } from 'node:events'
import { WebSocket } from 'ws'
import { call, cookieOf, openLive, PASSWORD, pageHeaders, signUp } from './browser.ts'
import type { TestServer } from './server.ts'

/** What a call was answered: data, or the facts of a refusal. */
export interface Outcome {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server sent
  readonly data: any
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server sent
  readonly refusal: any
}

/** A person in a browser. */
export interface SignedInBrowser {
  readonly cookie: string
  /** Calls a procedure: `api/people.list`, `account/own.get`. */
  call(procedure: string, input?: unknown): Promise<Outcome>
  /** Opens the live connection, and resolves to a function that resolves to the code that closes it. */
  follow(): Promise<() => Promise<number>>
}

/** Returns the browser that has that cookie. */
export function browserWith({ address }: TestServer, cookie: string): SignedInBrowser {
  const headers = pageHeaders(address, cookie)
  return {
    cookie,
    call: async (procedure, input) => outcomeOf(await call(address, procedure, input, headers)),
    async follow() {
      const live = await openLive(address, headers)
      if (!(live instanceof WebSocket)) throw new Error(`not connected: ${live}`)
      const closed = once(live, 'close')
      return async () => (await closed)[0]
    },
  }
}

/** Signs the first administrator in. */
export async function firstAdministrator(server: TestServer): Promise<SignedInBrowser> {
  return browserWith(server, await signUp(server))
}

/** Opens the link of an invitation, in another browser. */
export async function accept(server: TestServer, token: string): Promise<SignedInBrowser> {
  const accepted = await call(server.address, 'account/acceptLink', { token, password: PASSWORD })
  return browserWith(server, cookieOf(accepted))
}

/** What a stranger is answered, with the cookie that came with it. */
export async function stranger(server: TestServer, procedure: string, input?: unknown) {
  const received = await call(server.address, procedure, input)
  const { 'set-cookie': cookies } = received.headers
  return { ...outcomeOf(received), cookie: cookies === undefined ? null : cookieOf(received) }
}

function outcomeOf({ status, text }: { readonly status: number; readonly text: string }): Outcome {
  const { result, error } = JSON.parse(text)
  return { status, data: result?.data, refusal: error?.data.callError.refusal }
}
