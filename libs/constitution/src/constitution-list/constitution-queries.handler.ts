import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { equalTo, ReadModels } from '@app/projections';
import { Constitutions } from '../constitutions';
import { GetConstitution, ListConstitutions } from './constitution-queries.query';
import { constitutions } from './constitutions.projection';

@QueryHandler(ListConstitutions)
export class ListConstitutionsHandler implements IQueryHandler<ListConstitutions> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, ...equal } }: ListConstitutions) {
    if (minPosition !== undefined) await this.reads.reached(constitutions, minPosition);
    const page = await this.reads.list(constitutions, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
  }
}

@QueryHandler(GetConstitution)
export class GetConstitutionHandler implements IQueryHandler<GetConstitution> {
  constructor(private readonly constitutions: Constitutions) {}

  execute = ({ constitutionId, siteId }: GetConstitution) => this.constitutions.view(constitutionId, siteId);
}
