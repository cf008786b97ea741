import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { CDPSession } from 'playwright'

/** A message from Chromium. Playwright's protocol types describe it by method and event. */
type Received = ReturnType<typeof JSON.parse>

interface Waiting {
  readonly method: string
  resolve(result: Received): void
  reject(error: Error): void
}

/** The Chrome DevTools Protocol over the pipe: JSON messages, each terminated by a zero byte. */
export class DevToolsConnection {
  private readonly output: Writable
  private readonly waiting = new Map<number, Waiting>()
  private readonly sessions = new Map<string, EventEmitter>()
  private lastId = 0
  /** The beginning of a message whose end has not come. */
  private readonly rest: string[] = []

  constructor(output: Writable, input: Readable) {
    this.output = output
    output.on('error', () => {})
    input.on('error', () => {})
    input.setEncoding('utf8').on('data', (chunk: string) => this.take(chunk))
  }

  /** The session of the browser itself. */
  browser(): DevToolsSession {
    return this.session('')
  }

  /** A session of a target, by the id that `Target.attachToTarget` returned. */
  session(id: string): DevToolsSession {
    const events = new EventEmitter()
    this.sessions.set(id, events)
    return new DevToolsSession(events, (method, params) => this.request(id, method, params))
  }

  private request(sessionId: string, method: string, params: unknown): Promise<Received> {
    this.lastId += 1
    const id = this.lastId
    const address = sessionId === '' ? {} : { sessionId }
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { method, resolve, reject })
      this.output.write(`${JSON.stringify({ id, method, params, ...address })}\0`)
    })
  }

  private take(chunk: string): void {
    const ends = chunk.split('\0')
    const last = ends.pop() ?? ''
    for (const end of ends) {
      this.rest.push(end)
      this.dispatch(JSON.parse(this.rest.splice(0).join('')))
    }
    this.rest.push(last)
  }

  private dispatch(message: Received): void {
    const waiting = this.waiting.get(message.id)
    if (waiting === undefined) {
      this.sessions.get(message.sessionId ?? '')?.emit(message.method, message.params)
      return
    }
    this.waiting.delete(message.id)
    if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`))
    else waiting.resolve(message.result)
  }
}

/** Commands to and events from one target, typed by Playwright's protocol types. */
export class DevToolsSession {
  readonly send: CDPSession['send']
  readonly on: CDPSession['on']

  constructor(events: EventEmitter, request: (method: string, params: unknown) => Received) {
    this.send = (method, params) => request(method, params ?? {})
    this.on = (event: string | symbol, listener: (payload: Received) => void): Received =>
      events.on(event, listener)
  }
}
