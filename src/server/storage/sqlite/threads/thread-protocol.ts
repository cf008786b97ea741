import type { ThreadFailure } from './thread-failure.ts'

/** What a thread is for. */
export type ThreadRole = 'telemetry' | 'writer' | 'reader'

/** What a thread is started with: its work, and the database. */
export interface ThreadTask {
  readonly role: ThreadRole
  readonly file: string
}

/** Ends the work of a thread, after the requests before it. */
export interface Close {
  readonly type: 'close'
}

/** A request as it is sent to a thread, which answers under the same number. */
export type Numbered<Request> = Request & { readonly id: number }

/** A thread's response to the request with that number. */
export type Answer<Value> =
  | { readonly id: number; readonly ok: true; readonly value: Value }
  | { readonly id: number; readonly ok: false; readonly failure: ThreadFailure }

/** The work of one thread on one database. */
export interface ThreadWork<Request> {
  answer(request: Request): unknown
  /** A request has thrown that error. */
  failed?(error: unknown): void
  /** A request has been answered, with a value or an error. */
  answered?(): void
  /** Closes the database. */
  close(): void | Promise<void>
}
