import { once } from 'node:events'
import { WebSocket } from 'ws'
import { CONSOLE_HEADER, LIVE_PROTOCOL } from '../../src/shared/console/bridge/web.ts'

/** A person who is signed in to the console of a server, as a browser is. */
export class ConsoleBrowser {
  readonly #origin: string
  readonly #cookie: string

  private constructor(origin: string, cookie: string) {
    this.#origin = origin
    this.#cookie = cookie
  }

  /** The cookies that it was given. */
  get cookie(): string {
    return this.#cookie
  }

  /** Signs in, with a link or with a password, in a browser that may have cookies. Throws when the server refuses. */
  static async signIn(
    origin: string,
    procedure: 'acceptLink' | 'signIn',
    input: object,
    { cookie = '' }: { readonly cookie?: string } = {},
  ): Promise<ConsoleBrowser> {
    const answer = await post(origin, `account/${procedure}`, input, cookie)
    const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0])
    return new ConsoleBrowser(origin, cookies.join('; '))
  }

  /** Asks a query of a screen. Resolves when the answer has arrived as a whole. */
  async ask(path: string, input: unknown): Promise<void> {
    await (await post(this.#origin, `api/${path}`, input, this.#cookie)).arrayBuffer()
  }

  /** Opens the live connection with what a page of the fleet follows; returns what closes it. */
  async watch(app: string): Promise<() => void> {
    const socket = new WebSocket(
      `${this.#origin.replace('http', 'ws')}/console/live`,
      LIVE_PROTOCOL,
      {
        headers: { origin: this.#origin, cookie: this.#cookie },
      },
    )
    await once(socket, 'open')
    const follow = (id: number, request: object) =>
      socket.send(JSON.stringify({ type: 'subscribe', id, request }))
    follow(1, { path: 'events.changes' })
    follow(2, { path: 'fleet.live', input: { app } })
    await once(socket, 'message')
    return () => socket.close()
  }
}

async function post(origin: string, path: string, input: unknown, cookie: string) {
  const headers = { origin, cookie, 'content-type': 'application/json', [CONSOLE_HEADER]: '1' }
  const answer = await fetch(`${origin}/console/${path}`, {
    method: 'POST',
    headers,
    ...(input === undefined ? {} : { body: JSON.stringify(input) }),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
