import { Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import {
  startFailureSentence,
  unexpectedEnd,
} from '../../shared/wording/operation/start-failure.ts'
import { isDesktop, shell } from '../bridge/clients.ts'
import { stopWaiting, useIsCheckingUnsaid } from '../bridge/repeating-link.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { useRemoteServer } from '../bridge/servers.tsx'
import { LinkButton, PlainButton } from '../components/blocks.tsx'
import { announceFailure } from '../components/change/announce.ts'
import { text as common } from '../components/strings.ts'
import { useNow } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { Banner } from './banner.tsx'
import classes from './server-banner.module.css'
import { FAILURE_FIXES, startFailureTitle, text as strings } from './strings.ts'

const RemoteBanners = lazy(async () => ({
  default: (await import('../servers/remote-banners.tsx')).RemoteBanners,
}))

/** Says why the server does not answer, what happens next, and that it is being found out what became of a change. */
export function ServerBanner() {
  const state = useServerState()
  const remote = useRemoteServer()
  const isChecking = useIsCheckingUnsaid()
  return (
    <div role="status">
      {state.state === 'starting' && remote === undefined && (
        <StartingBanner upgrading={state.upgrading} />
      )}
      {state.state === 'starting' && remote !== undefined && (
        <Banner title={strings.banner.connecting} />
      )}
      {isDesktop() && (
        <Suspense>
          <RemoteBanners />
        </Suspense>
      )}
      {state.state === 'stopped' && <Banner title={strings.banner.stopped} />}
      {state.state === 'restarting' && (
        <Banner title={unexpectedEnd(state)}>
          <Countdown until={state.nextTryAt} />
        </Banner>
      )}
      {state.state === 'unreachable' && (
        <Banner
          {...(state.outOfContact === true
            ? { title: strings.banner.outOfContact, text: strings.banner.outOfContactHint }
            : { title: strings.banner.unreachable })}
        >
          <div className={classes.tries}>
            <Countdown until={state.nextTryAt} />
            <RetryButton />
          </div>
        </Banner>
      )}
      {state.state === 'failed' && <FailedBanner failure={state.failure} />}
      {isChecking && (
        <Banner title={common.checking}>
          <PlainButton onClick={stopWaiting}>{common.stopWaiting}</PlainButton>
        </Banner>
      )}
    </div>
  )
}

function StartingBanner({ upgrading = false }: { readonly upgrading?: boolean | undefined }) {
  if (!upgrading) return <Banner title={strings.banner.starting} />
  return <Banner title={strings.banner.upgrading} text={strings.banner.upgradingHint} />
}

function FailedBanner({ failure }: { readonly failure: StartFailure }) {
  const fix = FAILURE_FIXES[failure.code]
  return (
    <Banner failed title={startFailureTitle(failure)} text={startFailureSentence(failure)}>
      <Group gap="xs" wrap="nowrap">
        {fix !== undefined && <LinkButton to={paths.settings}>{fix}</LinkButton>}
        <RetryButton />
      </Group>
    </Banner>
  )
}

function RetryButton() {
  const retry = useMutation({
    ...shell.shell.retryServer.mutationOptions(),
    onError: (error) => announceFailure(strings.banner.notRetried, error),
  })
  return (
    <PlainButton loading={retry.isPending} onClick={() => retry.mutate()}>
      {strings.banner.retry}
    </PlainButton>
  )
}

/** Seconds until the next try. Not announced: the words beside it are. */
function Countdown({ until }: { readonly until: number }) {
  const now = useNow(500)
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return (
    <Text size="sm" className={classes.countdown} aria-hidden="true">
      {seconds === 0 ? strings.banner.retrying : strings.banner.nextTry(seconds)}
    </Text>
  )
}
