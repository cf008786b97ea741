import { type IpcMainEvent, ipcMain, MessageChannelMain, type MessagePortMain } from 'electron'
import { CONNECT, PORT, type PortOffer, type PortTarget } from '../../shared/console/bridge/port.ts'
import { PortServer } from '../../shared/console/bridge/port-server.ts'
import type { Procedures } from '../../shared/console/bridge/procedures.ts'
import { consoleOf } from '../page/sender.ts'

/** Opens a channel and returns the page's end of it; undefined if the other end does not respond. */
type Connect = () => Promise<MessagePortMain | undefined>

/** Who answers for the server in use. */
export interface ServerEnd {
  /** The procedures of a remote server; undefined while the app's own is in use. */
  remote(): Procedures | undefined
  /** Opens a channel to the server process. */
  readonly connectOwn: Connect
}

/**
 * Hands the console's page a port to `shell`, and one to the server in use, whenever it asks for one. The page and the
 * server process then communicate directly; for a remote server, main answers.
 */
export function servePorts(shell: Procedures, server: ServerEnd): void {
  const connections: Readonly<Record<PortTarget, Connect>> = {
    async server() {
      const remote = server.remote()
      return remote === undefined ? server.connectOwn() : answeredBy(remote)
    },
    shell: async () => answeredBy(shell),
  }
  ipcMain.on(CONNECT, (event, target: unknown) => {
    if (target === 'shell' || target === 'server') void hand(event, target, connections[target])
  })
}

/** Opens a channel whose far end main answers, and returns the near end. */
function answeredBy(procedures: Procedures): MessagePortMain {
  const { port1, port2 } = new MessageChannelMain()
  new PortServer(port2, procedures)
  return port1
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
