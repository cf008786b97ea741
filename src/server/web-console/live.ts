import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { TRPCError } from '@trpc/server'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ProcessPort } from '../../shared/console/bridge/port.ts'
import { PortServer } from '../../shared/console/bridge/port-server.ts'
import type { ProcedureRun, Procedures } from '../../shared/console/bridge/procedures.ts'
import {
  CONNECT_AGAIN,
  LIVE_PROTOCOL,
  OUT_OF_CONTACT,
  SESSION_ENDED,
} from '../../shared/console/bridge/web.ts'
import { OutOfContact } from '../catalog/errors.ts'
import { consoleProcedures } from '../console/procedures.ts'
import { HttpError, toHttpError } from '../http/answer/errors.ts'
import { answerRaw } from '../http/listener/raw-answer.ts'
import { text } from '../http/strings.ts'
import type { Caller, Session } from '../people/account.ts'
import { callerOf, reached, sessionOf, type WebConsoleParts } from './caller.ts'
import { callerSession, principalOf } from './principal.ts'

/** Bytes of the longest request: a subscription with its input. */
const MAX_MESSAGE = 256 * 1_024
/** Bytes that wait for a page that does not read; beyond them it is disconnected, and starts anew. */
const MAX_WAITING = 8 * 1_024 * 1_024
/** Tabs of one session, and of all. */
const MAX_PER_SESSION = 50
const MAX_CONNECTIONS = 1_000
/** Milliseconds between two looks whether a page is still there. Ended sessions are reported by `People`. */
const LOOK = 20_000
/** Milliseconds between two looks whether this server may still report anything. */
const CONTACT_LOOK = 500

interface Tab {
  readonly socket: WebSocket
  readonly sessionId: string
  readonly accountId: string
  /** Whether it has answered the last ping. */
  alive: boolean
}

/** The live connections of the pages: subscriptions only, over one WebSocket a tab. */
export class Live {
  readonly #parts: WebConsoleParts
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(LIVE_PROTOCOL) ? LIVE_PROTOCOL : false),
  })
  readonly #tabs = new Set<Tab>()
  readonly #timer = setInterval(() => this.#look(), LOOK)
  readonly #contactTimer = setInterval(() => this.#lookAtContact(), CONTACT_LOOK)
  readonly #unfollow: readonly (() => void)[]

  constructor(parts: WebConsoleParts) {
    this.#parts = parts
    this.#timer.unref()
    this.#contactTimer.unref()
    this.#unfollow = [
      parts.people.onSessionEnded((id) => {
        this.#close(SESSION_ENDED, ({ sessionId }) => sessionId === id)
      }),
      // What a connection may see is settled when it opens.
      parts.people.onAccessChanged((id) => {
        this.#close(CONNECT_AGAIN, ({ accountId }) => accountId === id)
      }),
    ]
  }

  /** Answers the request for a WebSocket. It comes from the console's own page, or is refused. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      this.#parts.api.contact.require()
      const by = reached(request, this.#parts)
      if (request.headers.origin !== by.origin) throw new HttpError(403, text.console.otherOrigin)
      const session = sessionOf(request, by, this.#parts)
      this.#server.handleUpgrade(request, socket, head, (opened) => {
        // Only after the handshake can a page read why.
        if (session === undefined) opened.close(SESSION_ENDED)
        else if (this.#isFull(session.id)) opened.close(1_013)
        else this.#open(opened, session, callerOf(request, this.#parts))
      })
    } catch (error) {
      if (!(error instanceof HttpError || error instanceof OutOfContact)) throw error
      const { status, message } = toHttpError(error)
      answerRaw(socket, status, message)
    }
  }

  /** Disconnects every page. */
  stop(): void {
    clearInterval(this.#timer)
    clearInterval(this.#contactTimer)
    for (const unfollow of this.#unfollow) unfollow()
    for (const { socket } of this.#tabs) socket.terminate()
    this.#server.close()
  }

  #isFull(sessionId: string): boolean {
    const own = [...this.#tabs].filter((tab) => tab.sessionId === sessionId)
    return this.#tabs.size >= MAX_CONNECTIONS || own.length >= MAX_PER_SESSION
  }

  #open(socket: WebSocket, session: Session, caller: Caller): void {
    const { id, account } = session
    const tab: Tab = { socket, sessionId: id, accountId: account.id, alive: true }
    this.#tabs.add(tab)
    socket.on('pong', () => {
      tab.alive = true
    })
    socket.on('close', () => this.#tabs.delete(tab))
    // Reported by `close` right after.
    socket.on('error', () => {})
    const { api, people, console: context } = this.#parts
    const own = [principalOf(session, caller), callerSession(session, { people, caller })] as const
    const procedures = consoleProcedures(context(), api.log, ...own)
    new PortServer(portOf(socket), subscriptionsOnly(procedures))
  }

  #close(code: number, isMeant: (tab: Tab) => boolean): void {
    for (const tab of this.#tabs) if (isMeant(tab)) tab.socket.close(code)
  }

  #lookAtContact(): void {
    if (!this.#parts.api.contact.mayServe()) this.#close(OUT_OF_CONTACT, () => true)
  }

  #look(): void {
    for (const tab of this.#tabs) {
      if (!tab.alive) tab.socket.terminate()
      tab.alive = false
      tab.socket.ping()
    }
  }
}

/** Calls come by HTTP, where they are checked for the header of the page. */
function subscriptionsOnly(procedures: Procedures): Procedures {
  const run = async (run: ProcedureRun) => {
    if (run.type !== 'subscription') throw new TRPCError({ code: 'NOT_FOUND' })
    return await procedures.run(run)
  }
  return { ...procedures, run }
}

/** A WebSocket as the end of a port, with messages as JSON. */
function portOf(socket: WebSocket): ProcessPort {
  return {
    on(event: 'message' | 'close', listener: (message: { readonly data: unknown }) => void) {
      if (event === 'close') return socket.on('close', listener)
      return socket.on('message', (data) => {
        try {
          listener({ data: JSON.parse(String(data)) })
        } catch {
          socket.close(1_007)
        }
      })
    },
    postMessage(message) {
      if (socket.bufferedAmount > MAX_WAITING) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
    },
    start() {},
    close: () => socket.close(),
  }
}
