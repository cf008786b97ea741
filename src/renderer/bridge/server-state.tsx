import type { InvalidateQueryFilters, Query } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { ServerReach } from '../../shared/console/desktop/shell.ts'
import type { ConsoleEvent } from '../../shared/console/overview.ts'
import { account } from './browser/account-client.ts'
import { server, serverClient, shellClient } from './clients.ts'
import { queryClient, refreshOld } from './query-client.ts'

/**
 * Runs `refresh` whenever it is asked to, one run after the other: what is asked for during a run
 * is one more run after it, at least `pause` milliseconds later. So a slow answer is never cut off
 * by the next event.
 */
export class Refresher {
  readonly #refresh: () => Promise<void>
  readonly #pause: number
  #wanted = false
  #running = false

  constructor(refresh: () => Promise<void>, pause: number) {
    this.#refresh = refresh
    this.#pause = pause
  }

  request(): void {
    this.#wanted = true
    if (!this.#running) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#wanted) {
      this.#wanted = false
      await this.#refresh().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, this.#pause))
    }
    this.#running = false
  }
}

const Context = createContext<ServerReach>({ state: 'starting' })

/** The server process as the main process sees it now. */
export function useServerState(): ServerReach {
  return useContext(Context)
}

/** Follows the state of the server process, and the changes that it reports while it runs. */
export function ServerStateProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<ServerReach>({ state: 'starting' })
  useEffect(() => {
    const subscription = shellClient.shell.serverState.subscribe(undefined, { onData: setState })
    return () => subscription.unsubscribe()
  }, [])
  useFollowChanges(state.state === 'running')
  return <Context value={state}>{children}</Context>
}

/** Milliseconds until a subscription that ended while the server runs is tried again. */
const RETRY = 1_000

/** Milliseconds between two refreshes of what devices change; a busy fleet changes all the time. */
const FLEET_PAUSE = 1_000

const everything = new Refresher(() => invalidate({}), 0)

const fleet = new Refresher(async () => {
  const concerned = [
    server.overview.pathFilter(),
    server.releases.list.pathFilter(),
    server.releases.get.pathFilter(),
    server.releases.compare.pathFilter(),
    server.releases.health.pathFilter(),
    server.releases.failures.pathFilter(),
    server.plans.get.pathFilter(),
    server.plans.calendar.pathFilter(),
    server.apps.list.pathFilter(),
    server.devices.pathFilter(),
  ]
  await Promise.all(concerned.map(invalidate))
}, FLEET_PAUSE)

const people = new Refresher(async () => {
  const concerned = [
    server.people.pathFilter(),
    server.audit.pathFilter(),
    server.session.pathFilter(),
    account.own.pathFilter(),
  ]
  await Promise.all(concerned.map(invalidate))
}, 0)

/** Milliseconds between two refreshes of charts: a curve that moves all the time is not read. */
const CHARTS_PAUSE = 5_000

const charts = new Refresher(
  () => queryClient.invalidateQueries(server.fleet.dashboard.pathFilter()),
  CHARTS_PAUSE,
)

/**
 * Asks again for what is concerned. What is shown as of a moment (`meta.asOfMoment`) is only marked
 * as stale: it must not change under the pointer, so the person asks for it.
 */
async function invalidate(filter: InvalidateQueryFilters): Promise<void> {
  const isKept = ({ meta, state }: Query) => meta?.asOfMoment === true && state.data !== undefined
  // A first answer that is under way may be older than the change, and is not asked for again by itself.
  const underWay = queryClient.getQueryCache().findAll({
    ...filter,
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  })
  await Promise.all([
    queryClient.invalidateQueries({ ...filter, predicate: (query) => !isKept(query) }),
    queryClient.invalidateQueries({ ...filter, predicate: isKept, refetchType: 'none' }),
  ])
  await queryClient.invalidateQueries({ predicate: (query) => underWay.includes(query) })
}

/** Asks again for what one event concerns; for everything where events before it were missed. */
function refresh(event: ConsoleEvent, previous: number | undefined): void {
  if (event.sequence !== (previous ?? Number.NaN) + 1) everything.request()
  else if (event.changed.includes('catalog')) everything.request()
  else {
    if (event.changed.includes('fleet')) {
      fleet.request()
      charts.request()
    }
    if (event.changed.includes('people')) people.request()
  }
}

/** Milliseconds between two attempts to refresh what could not be. */
const OLD_PAUSE = 15_000

/** Keeps what is shown true while the server runs. Used once, at the top of the page. */
function useFollowChanges(running: boolean): void {
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => void refreshOld(), OLD_PAUSE)
    return () => clearInterval(timer)
  }, [running])
  useEffect(() => {
    if (!running) return
    return keepSubscribed((onEnd) => {
      // A subscription begins without a number: its first event refreshes everything.
      let previous: number | undefined
      return serverClient.events.changes.subscribe(undefined, {
        onData: (event) => {
          refresh(event, previous)
          previous = event.sequence
        },
        onError: onEnd,
        onComplete: onEnd,
      })
    }, RETRY)
  }, [running])
}

/** A subscription that runs. */
interface Subscription {
  unsubscribe(): void
}

/**
 * Subscribes, and subscribes again `pause` milliseconds after the subscription ended. `subscribe` calls
 * `onEnd` when it ends. Returns what ends it for good.
 */
export function keepSubscribed(
  subscribe: (onEnd: () => void) => Subscription,
  pause: number,
): () => void {
  let subscription: Subscription | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    subscription = subscribe(() => {
      timer = setTimeout(start, pause)
    })
  }
  start()
  return () => {
    clearTimeout(timer)
    subscription?.unsubscribe()
  }
}
