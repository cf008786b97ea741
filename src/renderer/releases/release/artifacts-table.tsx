import { Group, Progress, Stack, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ReleaseDownloads } from '../../../shared/console/releases/releases.ts'
import type { ArtifactProof } from '../../../shared/files/proof.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { systemInWords } from '../../../shared/wording/artifacts.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { proofFailureSentence, SIGNATURE_FINDINGS } from '../../../shared/wording/proof.ts'
import { CopyButton } from '../../components/text/copy-button.tsx'
import { Quiet, Small, Toned, When } from '../../components/text/words.tsx'
import { targetInWords } from '../artifacts/strings.ts'
import classes from './release.module.css'
import { progressInWords, text } from './strings.ts'

interface Props {
  readonly artifacts: readonly Artifact[]
  /** In the same order; undefined while they are not known. */
  readonly proofs: readonly ArtifactProof[] | undefined
  /** Undefined while it is not known. */
  readonly downloads?: ReleaseDownloads | undefined
}

/** Columns that only some releases have anything for. */
interface Columns {
  readonly kind: boolean
  readonly floor: boolean
  readonly signature: boolean
}

/** The files of a release, each of their long texts with a button that copies it. */
export function ArtifactsTable({ artifacts, proofs, downloads }: Props) {
  const columns = {
    kind: artifacts.some(({ kind }) => kind !== ''),
    floor: artifacts.some(({ minimumSystemVersion }) => minimumSystemVersion !== undefined),
    signature: artifacts.some(({ signature }) => signature !== ''),
  }
  return (
    <Table.ScrollContainer minWidth={640} type="native">
      <Table className={classes.artifacts ?? ''} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.platform}</Table.Th>
            <Table.Th>{text.arch}</Table.Th>
            {columns.kind && <Table.Th>{text.kind}</Table.Th>}
            {columns.floor && <Table.Th>{text.floor}</Table.Th>}
            <Table.Th>{text.url}</Table.Th>
            <Table.Th ta="end">{text.size}</Table.Th>
            <Table.Th>{text.sha512}</Table.Th>
            {columns.signature && <Table.Th>{text.signature}</Table.Th>}
            <Table.Th>{text.proof.column}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {artifacts.map((artifact, index) => (
            <ArtifactRow
              key={targetInWords(artifact)}
              artifact={artifact}
              proof={proofs?.[index]}
              size={<FileSize artifact={artifact} downloads={downloads} index={index} />}
              columns={columns}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface RowProps {
  readonly artifact: Artifact
  readonly proof: ArtifactProof | undefined
  readonly size: ReactNode
  readonly columns: Columns
}

function ArtifactRow({ artifact, proof, size, columns }: RowProps) {
  const { platform, arch, kind, minimumSystemVersion: floor, url, sha512, signature } = artifact
  const target = targetInWords(artifact)
  const failure = proof?.state === 'failed' ? proof.failure : null
  return (
    <>
      <Table.Tr data-failed={failure !== null}>
        <Table.Td>{platform}</Table.Td>
        <Table.Td>{arch}</Table.Td>
        {columns.kind && <Table.Td>{kind === '' ? <NotGiven /> : kind}</Table.Td>}
        {columns.floor && (
          <Table.Td title={floor}>
            {floor === undefined ? <NotGiven /> : systemInWords(platform, floor)}
          </Table.Td>
        )}
        <Table.Td className={classes.address}>
          <LongText value={url} what={text.urlFor(target)} />
          {artifact.isAdminRightsRequired === true && <Small>{text.adminRights}</Small>}
        </Table.Td>
        <Table.Td ta="end" className="cut">
          {size}
        </Table.Td>
        <Table.Td className={classes.code}>
          <LongText value={sha512} what={text.sha512For(target)} />
        </Table.Td>
        {columns.signature && (
          <Table.Td className={classes.code}>
            {signature === '' ? (
              <NotGiven />
            ) : (
              <LongText value={signature} what={text.signatureFor(target)} />
            )}
          </Table.Td>
        )}
        <Table.Td miw={136}>
          <ProofCell proof={proof} />
        </Table.Td>
      </Table.Tr>
      {failure !== null && (
        <Table.Tr className={classes.failure}>
          <Table.Td colSpan={6 + Object.values(columns).filter(Boolean).length}>
            {proofFailureSentence(failure)}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

interface FileSizeProps extends Pick<Props, 'downloads'> {
  readonly artifact: Artifact
  readonly index: number
}

/** The size of a file, and what of it devices on the previous version download if their updater can download a part. */
function FileSize({ artifact, downloads, index }: FileSizeProps) {
  const { size, changed } = downloads?.artifacts[index] ?? { size: artifact.size, changed: null }
  if (size === 0) return <NotGiven />
  const from = downloads?.from ?? null
  return (
    <>
      {formatSize(size)}
      {changed !== null && from !== null && (
        <Small>{text.changedSince(formatSize(changed), from)}</Small>
      )}
    </>
  )
}

function LongText({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span className="cut" title={value}>
        {value}
      </span>
      <CopyButton text={value} what={what} />
    </Group>
  )
}

function NotGiven() {
  return <Quiet span>{text.notGiven}</Quiet>
}

/** Whether an artifact is what was published: since when that is known. What is wrong is in a row of its own. */
function ProofCell({ proof }: { readonly proof: ArtifactProof | undefined }) {
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
          <Toned isPlain tone="good" icon={IconCircleCheck}>
            {text.proof.proven}
          </Toned>{' '}
          <When at={checkedAt} />
          {signature !== null && <Small>{SIGNATURE_FINDINGS[signature]}</Small>}
        </div>
      )
    case 'failed':
      return (
        <>
          <Toned isPlain tone="bad" icon={IconAlertTriangle}>
            {text.proof.failed}
          </Toned>{' '}
          <When at={checkedAt} />
        </>
      )
  }
}
