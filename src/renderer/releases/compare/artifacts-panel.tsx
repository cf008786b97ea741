import { Table, Text } from '@mantine/core'
import type { Artifact } from '../../../shared/releases/release.ts'
import { formatSize } from '../../../shared/wording/format.ts'
import { Panel } from '../../components/blocks.tsx'
import { MiddleText } from '../../components/text/middle-text.tsx'
import { Quiet } from '../../components/text/words.tsx'
import type { ReleasePair } from '../detail.ts'
import {
  type ArtifactChange,
  type ArtifactPart,
  artifactChanges,
  countKinds,
  detailsText,
} from './changes.ts'
import classes from './compare.module.css'
import { ChangeMark } from './facts-panel.tsx'
import { countsInWords, namesOf, PART_WORDS, text } from './strings.ts'

/** Shows which artifacts of two releases differ, and in what; then the names of the others. */
export function ArtifactsPanel({ from: { release: from }, to: { release: to } }: ReleasePair) {
  const changes = artifactChanges(from.artifacts, to.artifacts)
  const different = changes.filter(({ kind }) => kind !== 'same')
  const same = changes.filter(({ kind }) => kind === 'same').map(nameOf)
  const [fromName, toName] = namesOf(from, to)
  return (
    <Panel
      title={text.artifacts}
      aside={<Quiet>{countsInWords(countKinds(changes))}</Quiet>}
      flush={different.length > 0}
    >
      {different.length > 0 && (
        <Table
          layout="fixed"
          className={classes.table ?? ''}
          aria-label={text.artifacts}
          highlightOnHover={false}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={128}>{text.change}</Table.Th>
              <Table.Th w={136}>{text.artifact}</Table.Th>
              <Table.Th w={104}>{text.detail}</Table.Th>
              <Table.Th className={classes.text}>{fromName}</Table.Th>
              <Table.Th className={classes.text}>{toName}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {different.map((change) => (
            <ArtifactRows key={change.key} change={change} />
          ))}
        </Table>
      )}
      {changes.length === 0 && <Text c="dimmed">{text.noArtifacts}</Text>}
      {same.length > 0 && (
        <Quiet className="wraps" {...(different.length > 0 && { px: 'md', py: 'xs' })}>
          {text.sameArtifacts(same)}
        </Quiet>
      )}
    </Panel>
  )
}

/** One row for each part that differs. */
function ArtifactRows({ change }: { readonly change: ArtifactChange }) {
  const { kind, parts, from, to } = change
  return (
    <Table.Tbody className={classes.artifact}>
      {parts.map((part, index) => (
        <Table.Tr key={part}>
          {index === 0 && (
            <>
              <Table.Td rowSpan={parts.length}>
                <ChangeMark kind={kind} />
              </Table.Td>
              <Table.Th rowSpan={parts.length} scope="rowgroup" className={classes.text}>
                {nameOf(change)}
              </Table.Th>
            </>
          )}
          <Table.Td>{PART_WORDS[part]}</Table.Td>
          <Table.Td className={classes.text}>
            <Part artifact={from} part={part} />
          </Table.Td>
          <Table.Td className={classes.text}>
            <Part artifact={to} part={part} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  )
}

function Part({ artifact, part }: { artifact: Artifact | undefined; part: ArtifactPart }) {
  const value = part === 'details' ? artifact && detailsText(artifact) : artifact?.[part]
  if (value === undefined || value === '' || value === 0) {
    return <Quiet span>{text.none}</Quiet>
  }
  if (typeof value === 'number') return formatSize(value)
  if (part === 'url' || part === 'details') {
    return (
      <span className={classes.url} title={value}>
        {value}
      </span>
    )
  }
  return (
    <Text span inherit ff="monospace" fz={12}>
      <MiddleText>{value}</MiddleText>
    </Text>
  )
}

function nameOf({ key }: ArtifactChange): string {
  return key.replaceAll('/', ' ')
}
