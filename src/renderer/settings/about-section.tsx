import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { VersionState } from '../../shared/console/desktop/shell.ts'
import { isDesktop, server, shell } from '../bridge/clients.ts'
import { Panel } from '../components/blocks.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { CopyButton } from '../components/text/copy-button.tsx'
import { When } from '../components/text/words.tsx'
import classes from './settings.module.css'
import { text } from './strings.ts'

/** What runs here, for the person who reports a bug. */
export function AboutSection() {
  return isDesktop() ? <AboutApp /> : <AboutServer />
}

/** The server behind the page in a browser. */
function AboutServer() {
  const about = useQuery(server.status.about.queryOptions())
  return (
    <Panel title={text.about}>
      <Loaded query={about}>
        {({ version, node, platform, dataFolder }) => (
          <dl className={classes.facts}>
            <dt>{text.version}</dt>
            <dd>{version}</dd>
            <dt>{text.node}</dt>
            <dd>{node}</dd>
            <dt>{text.system}</dt>
            <dd>{platform}</dd>
            {dataFolder !== null && <DataFolder path={dataFolder} />}
          </dl>
        )}
      </Loaded>
    </Panel>
  )
}

function DataFolder({ path }: { readonly path: string }) {
  return (
    <>
      <dt>{text.dataFolder}</dt>
      <dd>
        {path}
        <CopyButton text={path} what={text.dataFolderPath} />
      </dd>
    </>
  )
}

function AboutApp() {
  const about = useQuery(shell.shell.about.queryOptions())
  return (
    <Panel title={text.about}>
      <Loaded query={about}>
        {({ version, electron, chromium, node, platform, dataFolder }) => (
          <dl className={classes.facts}>
            <dt>{text.version}</dt>
            <dd>{version}</dd>
            <dt>{text.updates}</dt>
            <dd>
              <VersionLine />
            </dd>
            <dt>{text.electron}</dt>
            <dd>{text.electronWith(electron, chromium, node)}</dd>
            <dt>{text.system}</dt>
            <dd>{platform}</dd>
            <DataFolder path={dataFolder} />
          </dl>
        )}
      </Loaded>
    </Panel>
  )
}

/** Shows whether a new version of Tidegate is available. */
function VersionLine() {
  const { data: state } = useQuery(shell.shell.versionState.queryOptions())
  return state === undefined ? null : <Text size="sm">{words(state)}</Text>
}

function words(state: VersionState) {
  switch (state.state) {
    case 'off':
      return text.updatesOff
    case 'unchecked':
      return text.updatesUnchecked
    case 'available':
      return (
        <>
          <strong>{text.updateAvailable(state.version)}</strong> {text.updateSteps}
        </>
      )
    case 'current':
    case 'failed':
      return (
        <>
          {state.state === 'current' ? text.upToDate : text.updateCheckFailed}. {text.checked}{' '}
          <When at={state.checkedAt} />
        </>
      )
    default:
      return state satisfies never
  }
}
