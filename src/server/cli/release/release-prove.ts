import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { ReleasePlace } from '../../../shared/console/releases.ts'
import { ProofAnswer, type ReleaseProof } from '../../../shared/proof.ts'
import { Failure, StateConflict } from '../errors.ts'
import { addVersionCommand, type CommandOptions, duration, onServer } from '../options.ts'
import { printAnswer, printTable, report } from '../output.ts'
import type { CommandServer } from '../server/calls.ts'
import { text } from '../strings/proof.ts'

/** Seconds to wait in all. */
const TIMEOUT = 7_200
/** Milliseconds between two looks. */
const INTERVAL = 500
/** Looks between two lines about the progress of an artifact. */
const LOOKS_PER_LINE = 10

interface ProveOptions extends CommandOptions {
  /** Seconds. */
  readonly timeout?: number
}

/** `release prove`. */
export function addProveCommand(release: Command): void {
  addVersionCommand(release, 'prove', text.description, ProofAnswer)
    .option('--timeout <duration>', text.timeout, duration)
    .action((app: string, channel: string, version: string, options: ProveOptions) =>
      prove({ app, channel, version }, options),
    )
}

/** Throws `StateConflict` if an artifact is not proven, and `Failure` when the time is over. */
async function prove(place: ReleasePlace, options: ProveOptions): Promise<void> {
  const proof = await onServer(options, (server) => proveOn(server, place, options))
  printAnswer(options, ProofAnswer, { proof }, () => printProof(proof))
  const { artifacts } = proof
  const failed = artifacts.filter(({ state }) => state !== 'proven').length
  if (failed > 0) throw new StateConflict(text.failed(failed, artifacts.length, place.version))
}

async function proveOn(
  server: CommandServer,
  place: ReleasePlace,
  { timeout = TIMEOUT, json = false }: ProveOptions,
): Promise<ReleaseProof> {
  const deadline = performance.now() + timeout * 1_000
  const first = await server.releases.prove.mutate(place)
  let last = first
  for (let looks = 1; last.state === 'running'; looks++) {
    if (performance.now() > deadline) {
      throw new Failure(text.timedOut(place.version, timeout))
    }
    await delay(INTERVAL)
    const proof = await server.releases.proof.query(place)
    if (!json) tell(proof, last, looks % LOOKS_PER_LINE === 0)
    last = proof
  }
  if (!json && first.awaitsProof && !last.awaitsProof) report(text.resumed(place.version))
  return last
}

function tell(proof: ReleaseProof, last: ReleaseProof, isDue: boolean): void {
  for (const [index, artifact] of proof.artifacts.entries()) {
    if (artifact.state === 'running' && isDue) report(text.progress(artifact))
    const hasEnded = artifact.state === 'proven' || artifact.state === 'failed'
    if (hasEnded && last.artifacts[index]?.state !== artifact.state) report(text.ended(artifact))
  }
}

function printProof({ artifacts }: ReleaseProof): void {
  printTable(
    text.headings,
    artifacts.map((artifact) => [
      artifact.platform,
      artifact.arch,
      artifact.kind === '' ? null : artifact.kind,
      text.state(artifact.state),
      artifact.checkedAt,
      text.details(artifact),
    ]),
    text.empty,
  )
}
