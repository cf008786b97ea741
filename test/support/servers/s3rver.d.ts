/** The parts of the S3-compatible server that tests use; it has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net'

  interface Context {
    readonly method: string
    readonly path: string
    readonly query: Readonly<Record<string, string | undefined>>
    readonly req: import('node:http').IncomingMessage
    readonly state: { vhost?: boolean }
    mountPath?: string
    status: number
    type: string
    body: unknown
  }
  type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>

  // biome-ignore lint/style/noDefaultExport: what the package exports
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly vhostBuckets: boolean
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    readonly middleware: Middleware[]
    readonly logger: { silent: boolean }
    readonly httpServer: import('node:http').Server
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
