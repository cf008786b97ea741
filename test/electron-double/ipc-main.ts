import type { Frame } from './frame.ts'
import { StandIn } from './stand-in.ts'
import type { WebContents } from './web-contents.ts'

export interface IpcEvent {
  readonly type: 'frame'
  readonly sender: WebContents
  readonly senderFrame: Frame | null
  readonly processId: number
  readonly frameId: number
  reply(channel: string, ...args: unknown[]): void
}

type Handler = (event: IpcEvent, ...args: unknown[]) => unknown

export class IpcMain extends StandIn {
  private readonly handlers = new Map<string, Handler>()

  handle(channel: string, handler: Handler): void {
    if (this.handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`)
    }
    this.handlers.set(channel, handler)
  }

  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel)
      return handler(event, ...args)
    })
  }

  removeHandler(channel: string): void {
    this.handlers.delete(channel)
  }

  /** Not Electron's: runs the handler of an `ipcRenderer.invoke`. */
  async invoke(channel: string, event: IpcEvent, args: readonly unknown[]): Promise<unknown> {
    const handler = this.handlers.get(channel)
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
    return await handler(event, ...args)
  }
}

export const ipcMain = new IpcMain()
