import { messageOf } from '../../shared/basics/message-of.ts'
/** Which path keeps the desktop app from starting. */
export type StartErrorCode = 'settings_unreadable' | 'folder_unusable'

/** The app cannot start as its files are. `detail`: what the operating system reported. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code: StartErrorCode
  readonly path: string
  readonly detail: string

  constructor(code: StartErrorCode, path: string, cause: unknown) {
    const detail = messageOf(cause)
    super(`${code}: ${path} (${detail})`, { cause })
    this.code = code
    this.path = path
    this.detail = detail
  }
}
