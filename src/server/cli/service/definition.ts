import { z } from 'zod'

/** What a service runs: the Node.js and the entry file of this installation. */
export interface ServiceProgram {
  readonly node: string
  readonly entry: string
}

/** A step of an installation, which can be shown instead of done. */
export const Step = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('write'),
    file: z.string(),
    content: z.string(),
    /** UTF-8 by default; `utf16le` begins with a byte order mark. */
    encoding: z.literal('utf16le').optional(),
  }),
  z.strictObject({ kind: z.literal('folder'), folder: z.string() }),
  z.strictObject({ kind: z.literal('remove'), file: z.string() }),
  z.strictObject({
    kind: z.literal('run'),
    command: z.string(),
    args: z.array(z.string()).readonly(),
    /** A failure is no reason to end, such as that of stopping a service that does not run. */
    mayFail: z.literal(true).optional(),
  }),
])
export type Step = z.infer<typeof Step>

/** The step that runs a command. */
export function runStep(command: string, ...args: string[]): Step {
  return { kind: 'run', command, args }
}

/** The step that runs a command, which may fail. */
export function tryStep(command: string, ...args: string[]): Step {
  return { kind: 'run', command, args, mayFail: true }
}

/** How a service is: `failed` after it ended with an error, or did not start. */
export const ServiceState = z.enum(['running', 'starting', 'stopped', 'failed', 'not_installed'])
export type ServiceState = z.infer<typeof ServiceState>

export interface ServiceStatus {
  readonly state: ServiceState
  readonly pid: number | null
  /** What the service or its manager says about it; empty for nothing. */
  readonly detail: string
}

/** The service manager of a system. */
export interface ServiceManager {
  /** The data folder that the service uses, with its configuration file. */
  readonly dataFolder: string
  /** Where the log is. */
  readonly log: string
  /** The start of a command line that runs Tidegate as the account of the service. */
  readonly command: string
  /** What this account, computer and installation lack, as sentences; empty if nothing. */
  lacks(): readonly string[]
  /** The steps that install the service, or bring an installed one up to date, and start it. */
  install(): readonly Step[]
  /** The steps that stop the service and remove it. The data stays. */
  uninstall(): readonly Step[]
  status(): Promise<ServiceStatus>
}

/** Returns a text as the content of an XML element. */
export function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
