import {
  ExpectedInput,
  ForecastInput,
  PlanCalendar,
  PlanChangeInput,
  PlanDetail,
  PlanForecast,
  SetPlanInput,
} from '../../../shared/console/releases/plans.ts'
import { ChannelPlace } from '../../../shared/names.ts'
import { PlanPlace } from '../../../shared/plans/plan.ts'
import { PlanPreset } from '../../../shared/plans/plan-presets.ts'
import { PlanState } from '../../../shared/plans/plan-state.ts'
import { commandProcedure } from '../command-context.ts'
import { byUseCase, procedure, router } from '../trpc.ts'

/** The plans of releases: on the page of one, and on the calendar of all. */
export const planRoutes = router({
  get: commandProcedure.input(PlanPlace).output(PlanDetail).query(byUseCase('getPlan')),

  set: commandProcedure.input(SetPlanInput).output(PlanState).mutation(byUseCase('setPlan')),

  suspend: commandProcedure
    .input(PlanChangeInput)
    .output(PlanState)
    .mutation(byUseCase('suspendPlan')),

  resume: commandProcedure
    .input(PlanChangeInput)
    .output(PlanState)
    .mutation(byUseCase('resumePlan')),

  /** Returns the plan as it was. */
  remove: commandProcedure
    .input(PlanChangeInput)
    .output(PlanState)
    .mutation(byUseCase('removePlan')),

  /** When the steps are applied at the earliest. */
  forecast: commandProcedure
    .input(ForecastInput)
    .output(PlanForecast)
    .query(byUseCase('forecastPlan')),

  /** The preset that suits the devices of a channel. */
  recommended: procedure.input(ChannelPlace).output(PlanPreset).query(byUseCase('recommendPlan')),

  /** How many devices each step would reach: progress, then the result. */
  expected: procedure.input(ExpectedInput).subscription(byUseCase('expectedDevices')),

  /** All plans that are not finished, and the freezes of all apps. */
  calendar: procedure.output(PlanCalendar).query(byUseCase('planCalendar')),
})
