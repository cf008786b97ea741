import { Group, Stack, Text } from '@mantine/core'
import { IconArrowsExchange, IconGitCompare, IconPackageOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import type { ReleaseOnChannel, ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { isEveryDevice, type MatchExpression } from '../../../shared/releases/targets.ts'
import { server } from '../../bridge/clients.ts'
import { isUnknown } from '../../bridge/error.ts'
import { LinkButton, Panel } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { EmptyState, ReleaseNotFound } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import badge from '../../components/release/release.module.css'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { text as shared } from '../../components/strings.ts'
import { Quiet } from '../../components/text/words.tsx'
import { paths, readPlace } from '../../paths.ts'
import type { ReleasePair } from '../detail.ts'
import { targetsInWords } from '../targets/strings.ts'
import { ArtifactsPanel } from './artifacts-panel.tsx'
import { countKinds, targetChanges } from './changes.ts'
import classes from './compare.module.css'
import { ChangeMark, FactsPanel } from './facts-panel.tsx'
import { NotesPanel } from './notes-panel.tsx'
import { ReleasePicker } from './release-picker.tsx'
import { countsInWords, namesOf, text } from './strings.ts'

/** A release compared with another one of its app, by default with the one that its channel served before. */
export function Component() {
  const { app = '', channel = '', version = '' } = useParams()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const to = { app, channel, version }
  const from = readPlace(params.get('with'))
  const place = `${app}/${channel}`
  return (
    <>
      <PageHeader
        name={text.pageName(version, place)}
        title={
          <Group gap="sm" component="span" className={badge.heading}>
            {text.title} <VersionBadge app={app} version={version} />
          </Group>
        }
        trail={[
          { name: text.releases, to: paths.releases },
          { name: place, to: paths.channelReleases(app, channel) },
          { name: version, to: paths.release(to) },
        ]}
        description={from && text.changes(...namesOf(from, to))}
      />
      <Group align="end" gap="xs" mb="md">
        <ReleasePicker
          app={app}
          except={to}
          value={from}
          onChange={(other) => void navigate(paths.compare(to, other), { replace: true })}
        />
        {from && (
          <LinkButton to={paths.compare({ app, ...from }, to)} icon={IconArrowsExchange}>
            {text.swap}
          </LinkButton>
        )}
      </Group>
      {from === undefined ? <Default to={to} /> : <Chosen from={from} to={to} />}
    </>
  )
}

function Default({ to }: { readonly to: ReleasePlace }) {
  const previous = useQuery(server.releases.previous.queryOptions(to))
  if (isUnknown(previous.error)) return <ReleaseNotFound {...to} />
  return (
    <Loaded query={previous}>
      {(version) =>
        version === null ? (
          <EmptyState
            icon={IconGitCompare}
            title={text.noneBeforeTitle}
            hint={text.noneBefore(to.version, `${to.app}/${to.channel}`)}
          />
        ) : (
          <Navigate replace to={paths.compare(to, { channel: to.channel, version })} />
        )
      }
    </Loaded>
  )
}

interface ChosenProps {
  readonly from: ReleaseOnChannel
  readonly to: ReleasePlace
}

function Chosen({ from, to: { app, ...to } }: ChosenProps) {
  const compared = useQuery(server.releases.compare.queryOptions({ app, from, to }))
  if (isUnknown(compared.error)) return <ReleaseNotFound app={app} {...to} />
  return (
    <Loaded query={compared}>
      {({ from: other, to }) =>
        other === null ? (
          <EmptyState
            icon={IconPackageOff}
            title={shared.releaseNotFound}
            hint={text.chooseOther(
              shared.releaseNotFoundHint(from.version, `${app}/${from.channel}`),
            )}
          />
        ) : (
          <Comparison from={other} to={to} />
        )
      }
    </Loaded>
  )
}

/** Shows what differs between two releases, part by part. */
function Comparison(pair: ReleasePair) {
  const { from, to } = pair
  return (
    <Stack gap="md" key={`${from.release.id} ${to.release.id}`}>
      <FactsPanel {...pair} />
      <TargetsPanel {...pair} />
      <ArtifactsPanel {...pair} />
      <NotesPanel {...pair} />
    </Stack>
  )
}

/** Shows which devices two releases target, condition by condition. */
function TargetsPanel({ from: { release: from }, to: { release: to } }: ReleasePair) {
  const changes = targetChanges(from.targets, to.targets)
  if (changes.length === 0) {
    return (
      <Panel title={text.targets} aside={<Quiet>{text.nothingChanged}</Quiet>}>
        <Text c="dimmed">{text.allDevices}</Text>
      </Panel>
    )
  }
  const [fromName, toName] = namesOf(from, to)
  return (
    <Panel title={text.targets} aside={<Quiet>{countsInWords(countKinds(changes))}</Quiet>} flush>
      <DataTable
        label={text.targets}
        layout="fixed"
        className={classes.table}
        rows={changes}
        keyOf={(change) => JSON.stringify(change)}
        columns={[
          {
            ...{ name: text.change, w: 128 },
            cell: ({ kind }) => <ChangeMark kind={kind} />,
          },
          {
            ...{ name: fromName, className: classes.text, headClass: classes.text },
            cell: (change) => <Condition condition={change.from} />,
          },
          {
            ...{ name: toName, className: classes.text, headClass: classes.text },
            cell: (change) => <Condition condition={change.to} />,
          },
        ]}
      />
      {isEveryDevice(from.targets) && <Footnote>{text.targetsAll(fromName)}</Footnote>}
      {isEveryDevice(to.targets) && <Footnote>{text.targetsAll(toName)}</Footnote>}
    </Panel>
  )
}

function Footnote({ children }: { readonly children: string }) {
  return (
    <Quiet px="md" py="xs" className="wraps">
      {children}
    </Quiet>
  )
}

function Condition({ condition }: { readonly condition: MatchExpression | undefined }) {
  if (condition === undefined) {
    return <Quiet span>{text.none}</Quiet>
  }
  return targetsInWords({ matchLabels: {}, matchExpressions: [condition] })
}
