import type { CallError, CallRequest, CallResult } from '../../shared/console/bridge.ts'
import type { PortAnswer, ProcessPort } from '../../shared/console/port.ts'
import { PortClient } from '../../shared/console/port-client.ts'

const UNAVAILABLE: CallError = { code: 'unavailable', reason: 'server_not_answering' }

/**
 * Calls the server once over `port`, which it closes afterwards; undefined means that no server runs.
 * Never rejects; a server that does not run, or ends first, is the error `unavailable`.
 */
export async function callServer(
  port: ProcessPort<PortAnswer> | undefined,
  request: CallRequest,
): Promise<CallResult> {
  if (port === undefined) return { ok: false, error: UNAVAILABLE }
  const client = new PortClient((message) => port.postMessage(message))
  port.on('message', ({ data }) => client.receive(data))
  port.on('close', () => client.close(UNAVAILABLE))
  port.start()
  try {
    return await client.call(request)
  } finally {
    port.close()
  }
}
