import { z } from 'zod'
import type { Frame } from './frame.ts'
import type { IpcEvent } from './ipc-main.ts'
import { ipcMain } from './ipc-main.ts'
import { type PortRelay, Relayed } from './port-relay.ts'
import type { WebContents } from './web-contents.ts'

const Message = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('invoke'),
    id: z.number(),
    channel: z.string(),
    args: z.array(z.unknown()),
  }),
  z.object({ kind: z.literal('open'), url: z.string() }),
  z.object({ kind: z.literal('relayed'), relayed: Relayed }),
  z.object({ kind: z.literal('send'), channel: z.string(), args: z.array(z.unknown()) }),
])

/** Passes messages of preload scripts to ipcMain, and returns the results. */
export class PageMessages {
  private readonly sender: WebContents
  private readonly ports: PortRelay
  /** Throws for values that structured clone rejects. */
  private readonly deliver: (frameId: string, message: object) => void

  constructor(sender: WebContents, ports: PortRelay, deliver: PageMessages['deliver']) {
    this.sender = sender
    this.ports = ports
    this.deliver = deliver
  }

  take(received: unknown, senderFrame: Frame | null, frameId: string): void {
    const message = Message.parse(received)
    if (message.kind === 'open') {
      this.sender.refuseWindow(message.url)
      return
    }
    if (message.kind === 'relayed') {
      this.ports.receive(message.relayed)
      return
    }
    const documents = senderFrame?.documents
    const event: IpcEvent = {
      type: 'frame',
      sender: this.sender,
      /** Null once the frame is gone or shows another document. */
      get senderFrame() {
        const isThere = senderFrame?.detached === false && senderFrame.documents === documents
        return isThere ? senderFrame : null
      },
      processId: senderFrame?.processId ?? 0,
      frameId: senderFrame?.routingId ?? 0,
      reply: (channel, ...args) => senderFrame?.send(channel, ...args),
    }
    if (message.kind === 'send') ipcMain.emit(message.channel, event, ...message.args)
    else void this.answer(message.id, message.channel, event, message.args, frameId)
  }

  private async answer(
    id: number,
    channel: string,
    event: IpcEvent,
    args: readonly unknown[],
    frameId: string,
  ): Promise<void> {
    await ipcMain
      .invoke(channel, event, args)
      .then((value) => this.deliver(frameId, { kind: 'reply', id, ok: true, value }))
      .catch((error) => {
        const message = `Error invoking remote method '${channel}': ${error}`
        this.deliver(frameId, { kind: 'reply', id, ok: false, message })
      })
  }
}
