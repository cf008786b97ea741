import { onTestFinished } from 'vitest'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { eventually } from '../../support/eventually.ts'
import {
  type Cluster,
  killCluster,
  SETTINGS as OF_TESTS,
  removeCluster,
  startAgain,
  startCluster,
} from '../../support/postgres/cluster.ts'
import { type ServeProcess, serveWith, startCommand } from '../../support/processes/cli.ts'
import { freePort } from '../../support/processes/ports.ts'
import { type Answer, type CallOptions, request } from '../../support/servers/server.ts'
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts'
import { startBalancer } from './haproxy.ts'

/** Nothing is limited: all calls come from one address. */
const UNLIMITED = ['--device-limit', '0', '--key-limit', '0', '--new-device-limit', '0']
const SETTINGS = [...UNLIMITED, '--min-free-disk', '0', '--log-level', 'warn']

/** A `serve` process that is killed and started again at the same address, with the same data folder. */
export class Node {
  readonly address: string
  /** Between it and PostgreSQL. */
  readonly network: TcpProxy
  /** Variables that it is started with. */
  env: NodeJS.ProcessEnv = {}
  readonly #port: number
  readonly #folder = temporaryFolder()
  readonly #args: readonly string[]
  #process: ServeProcess | undefined

  constructor(port: number, network: TcpProxy, args: readonly string[] = []) {
    this.#port = port
    this.#args = args
    this.network = network
    this.address = `http://127.0.0.1:${port}`
  }

  async start(): Promise<void> {
    const { url } = this.network
    const args = ['--port', String(this.#port), '--database', url, ...SETTINGS, ...this.#args]
    this.#process = await serveWith(this.env, this.#folder, ...args)
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL')
  }

  /** Stops it as an operator does, and returns its exit code. */
  async stop(): Promise<number | null> {
    return (await this.#process?.stop())?.code ?? null
  }

  /** Waits until it has ended by itself, and returns its exit code. */
  async ended(): Promise<number | null> {
    return (await this.#process?.ended)?.code ?? null
  }

  /** Stops or continues its process. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.child.kill(signal)
  }

  /** What it wrote to its log. */
  get log(): string {
    return this.#process?.output.stderr ?? ''
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return request(this.address + path, method, options)
  }

  /** The answer of `/healthz`. */
  async health(): Promise<Answer> {
    return await this.call('GET', '/healthz')
  }

  /** Waits until it serves. */
  async healthy(): Promise<void> {
    await eventually(async () => {
      const { status, text } = await this.health()
      if (status !== 200) throw new Error(`${this.address} answers ${status} ${text}`)
    })
  }

  /** Waits until it stores check-ins. */
  async writing(): Promise<void> {
    await this.#telemetry(Number.POSITIVE_INFINITY)
  }

  /** Waits until it has stored all check-ins that it knows. */
  async settled(): Promise<void> {
    await this.#telemetry(0)
  }

  async #telemetry(most: number): Promise<void> {
    await eventually(async () => {
      const { body } = await this.health()
      const { state, queued } = body.telemetry
      if (state !== 'ok' || queued > most) throw new Error(`${queued} check-ins wait: ${state}`)
    })
  }
}

/** Nodes on a PostgreSQL of their own, each with a network of its own, behind a balancer. */
export interface NodeSet {
  readonly nodes: readonly Node[]
  /** Of the balancer. */
  readonly balancer: string
  /** A key with all scopes. */
  readonly key: string
  /** Straight to PostgreSQL, past the networks that fail. */
  readonly database: PostgresDatabase
  readonly cluster: Cluster
  /** Ends PostgreSQL as a power failure would, and starts it again. `settings`: as its command line takes them. */
  restartPostgres(...settings: string[]): Promise<void>
  /** Runs a command on the database, and returns its stdout. */
  command(...args: string[]): Promise<string>
}

const NAME = 'tidegate'

/** Starts a node without a balancer on a database, until the test is over. */
export async function startNodeOn(url: string, ...args: string[]): Promise<Node> {
  const node = new Node(await freePort(), await startTcpProxy(url), args)
  onTestFinished(() => node.kill())
  await node.start()
  await node.healthy()
  return node
}

/** Starts them with the app `editor`, until the test is over. `args`: further settings of `serve`. */
export async function startNodes(count: number, ...args: string[]): Promise<NodeSet> {
  const cluster = await startCluster()
  const url = cluster.url(NAME)
  const root = new PostgresDatabase(cluster.url('postgres'), 1)
  await root.run(`CREATE DATABASE ${NAME} TEMPLATE template0 ENCODING 'UTF8'`)
  await root.close()
  const database = new PostgresDatabase(url, 2)
  onTestFinished(async () => {
    await database.close().catch(() => {})
    await removeCluster(cluster.folder)
  })
  const folder = temporaryFolder()
  const command = async (...words: string[]) => {
    const { ended } = startCommand([...words, '--database', url, '--data', folder])
    const { code, stdout, stderr } = await ended
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const nodes: Node[] = []
  for (const port of ports) nodes.push(new Node(port, await startTcpProxy(url), args))
  onTestFinished(async () => {
    for (const node of nodes) {
      node.signal('SIGCONT')
      await node.kill()
    }
  })
  // All at once: one of them creates the tables.
  await Promise.all(nodes.map((node) => node.start()))
  await command('app', 'create', 'editor')
  const key = (await command('key', 'mint', 'test')).trim()
  const balancer = await startBalancer(ports)
  await Promise.all(nodes.map((node) => node.healthy()))
  const restartPostgres = async (...settings: string[]) => {
    await killCluster(cluster.folder)
    await startAgain(cluster.folder, cluster.port, [...OF_TESTS, ...settings])
  }
  return { nodes, balancer, key, database, cluster, restartPostgres, command }
}
