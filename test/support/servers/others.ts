import type { ServerParts } from '../../../src/server/compose/running-server.ts'

/** What a server owes to others on its storage, as a test says: no other server is needed for it. */
export class OtherServers {
  /** Whether the server may serve what it has in memory; a function is asked each time. */
  mayServe: () => boolean = () => true
  /** What the others say of a revision. */
  acknowledged: (part: string, revision: number) => Promise<boolean> = async () => true

  readonly parts: ServerParts = {
    contact: {
      mayServe: () => this.mayServe(),
      acknowledged: (part, revision) => this.acknowledged(part, revision),
    },
  }

  lose(): void {
    this.mayServe = () => false
  }

  /** The contact is lost after it was asked for that many times. */
  loseAfter(times: number): void {
    let asked = 0
    this.mayServe = () => asked++ < times
  }

  regain(): void {
    this.mayServe = () => true
  }
}
