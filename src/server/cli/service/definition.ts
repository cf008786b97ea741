/** What a service runs: the Node.js and the entry file of this installation. */
export interface ServiceProgram {
  readonly node: string
  readonly entry: string
}

/** A step of an installation, which can be shown instead of done. */
export type Step =
  | {
      readonly kind: 'write'
      readonly file: string
      readonly content: string
      /** UTF-8 by default; `utf16le` begins with a byte order mark. */
      readonly encoding?: 'utf16le'
    }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'remove'; readonly file: string }
  | {
      readonly kind: 'run'
      readonly command: string
      readonly args: readonly string[]
      /** A failure is no reason to end, such as that of stopping a service that does not run. */
      readonly mayFail?: true
    }

/** How a service is: `failed` after it ended with an error, or did not start. */
export type ServiceState = 'running' | 'starting' | 'stopped' | 'failed' | 'not_installed'

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
