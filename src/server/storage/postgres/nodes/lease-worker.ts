import { parentPort, workerData } from 'node:worker_threads'
import { LeaseClock } from './lease-clock.ts'
import { LeaseRenewal } from './lease-renewal.ts'
import type { LeaseOrder, LeaseReport, LeaseThreadData } from './lease-thread.ts'

const port = parentPort
if (port === null) throw new Error('lease-worker.ts runs as a worker thread only')
const { url, leaseTime, buffer }: LeaseThreadData = workerData

const renewal = new LeaseRenewal({
  url,
  leaseTime,
  clock: new LeaseClock(buffer),
  onFenced: (node) => port.postMessage({ type: 'fenced', node } satisfies LeaseReport),
})

port.on('message', (order: LeaseOrder) => {
  switch (order.type) {
    case 'hold':
      return renewal.hold(order.node)
    case 'beat':
      return renewal.beat()
    default:
      return order satisfies never
  }
})
