import { Button } from '@mantine/core'
import { IconShieldCheck, IconX } from '@tabler/icons-react'
import type { ReleaseProof } from '../../../shared/proof.ts'
import { text } from './strings.ts'

interface Props {
  readonly proof: ReleaseProof | undefined
  readonly isPending: boolean
  readonly onStart: () => void
  readonly onCancel: () => void
}

/** The button that begins to prove the artifacts of a release, or ends it. */
export function ProofActions({ proof, isPending, onStart, onCancel }: Props) {
  const isRunning = proof?.state === 'running'
  const Glyph = isRunning ? IconX : IconShieldCheck
  return (
    <Button
      variant="default"
      size="xs"
      disabled={proof === undefined}
      loading={isPending}
      leftSection={<Glyph size={14} aria-hidden="true" />}
      onClick={isRunning ? onCancel : onStart}
    >
      {isRunning ? text.proof.cancel : text.proof.start}
    </Button>
  )
}
