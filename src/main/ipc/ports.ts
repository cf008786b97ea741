import { type IpcMainEvent, ipcMain, MessageChannelMain, type MessagePortMain } from 'electron'
import { CONNECT, PORT, type PortOffer, type PortTarget } from '../../shared/console/port.ts'
import { PortServer } from '../../shared/console/port-server.ts'
import type { Procedures } from '../../shared/console/procedures.ts'
import { consoleOf } from '../page/sender.ts'

/** Opens a channel and returns the page's end of it; undefined if the other end does not respond. */
type Connect = () => Promise<MessagePortMain | undefined>

/**
 * Hands the console's page a port to `shell`, and one to the server process that `connectServer` opens, whenever it
 * asks for one. The page and the answering process then communicate directly.
 */
export function servePorts(shell: Procedures, connectServer: Connect): void {
  const connections: Readonly<Record<PortTarget, Connect>> = {
    server: connectServer,
    async shell() {
      const { port1, port2 } = new MessageChannelMain()
      new PortServer(port2, shell)
      return port1
    },
  }
  ipcMain.on(CONNECT, (event, target: unknown) => {
    if (target === 'shell' || target === 'server') void hand(event, target, connections[target])
  })
}

/** Offers a port to the console, and a refusal to any other frame. Never rejects, because it is not awaited. */
async function hand(event: IpcMainEvent, target: PortTarget, connect: Connect): Promise<void> {
  if (consoleOf(event) === undefined) {
    offer(event, { target, outcome: 'refused' })
    return
  }
  const port = await connect()
  // The server may have taken its time: what the frame shows now is another document, perhaps.
  if (consoleOf(event) === undefined) port?.close()
  else if (port === undefined) offer(event, { target, outcome: 'unavailable' })
  else offer(event, { target, outcome: 'connected' }, port)
}

function offer(
  { senderFrame }: IpcMainEvent,
  message: PortOffer,
  ...ports: MessagePortMain[]
): void {
  senderFrame?.postMessage(PORT, message, ports)
}
