import { Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ArtifactProof } from '../../../shared/proof.ts'
import { SIGNATURE_FINDINGS } from '../../../shared/wording/proof.ts'
import { When } from '../../components/text/when.tsx'
import classes from './release.module.css'
import { progressInWords, text } from './strings.ts'

/** Whether an artifact is what was published: since when that is known. What is wrong is in a row of its own. */
export function ProofCell({ proof }: { readonly proof: ArtifactProof | undefined }) {
  if (proof === undefined) return null
  const { state, checkedAt, signature, progress } = proof
  switch (state) {
    case 'unproven':
      return <Quiet>{text.proof.unproven}</Quiet>
    case 'queued':
      return <Quiet>{text.proof.queued}</Quiet>
    case 'running': {
      const { read = 0, total = 0 } = progress ?? {}
      const percent = total === 0 ? 0 : (read / total) * 100
      return (
        <Stack gap={4}>
          <Text size="sm">{progressInWords(read, total)}</Text>
          <Progress value={percent} size="sm" aria-label={text.proof.progress} />
        </Stack>
      )
    }
    case 'proven':
      return (
        <div>
          <span className={classes.proof} data-tone="good">
            <IconCircleCheck size={14} aria-hidden="true" />
            {text.proof.proven} <When at={checkedAt} />
          </span>
          {signature !== null && <Quiet small>{SIGNATURE_FINDINGS[signature]}</Quiet>}
        </div>
      )
    case 'failed':
      return (
        <span className={classes.proof} data-tone="bad">
          <IconAlertTriangle size={14} aria-hidden="true" />
          {text.proof.failed} <When at={checkedAt} />
        </span>
      )
  }
}

function Quiet({
  small = false,
  children,
}: {
  readonly small?: boolean
  readonly children: string
}) {
  return (
    <Text size={small ? 'xs' : 'sm'} c="dimmed">
      {children}
    </Text>
  )
}
