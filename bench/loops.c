/* The yardstick: two of Arpad's rulesets as a C programmer would write their loops.

   Same input (columns in playing order, a small table of kinds of games), same rules, same output:
   both sides of every game with rating before, expected score and change, and the state after each
   settlement. The results are compared bit by bit with Arpad's, so this is an oracle too.
   No function here is called from Arpad. */

#include <math.h>
#include <stdint.h>

enum { NOT_RATED = -1, POINT = 100 };

typedef struct {
    int8_t counted;
    int32_t score; /* hundredths of player 1 */
    int32_t stones; /* received by player 2 */
    double weight;
} kind_t;

static inline int32_t nearest(double x) /* halves away from zero; no branch to guess wrong */
{
    double size = fabs(x);
    int32_t whole = (int32_t)size;
    whole += size - whole >= 0.5;
    return x >= 0 ? whole : -whole;
}

/* --- elo-logistic ------------------------------------------------------------------------------ */

typedef struct {
    int32_t rating, games;
} elo_t;

static inline int32_t elo_change(double k, double rate, elo_t me, elo_t other, double weight, int32_t score,
                                 int32_t *expected)
{
    double difference = (me.rating - other.rating) / 100.0;
    double share = 1.0 / (1.0 + exp(-difference * rate));
    *expected = nearest(share * 1e6);
    return nearest(k * weight * (score / 100.0 - share) * 100.0);
}

void elo_loop(int64_t games, double k, double scale, const kind_t *kinds, const int32_t *player1,
              const int32_t *player2, const int32_t *kind, elo_t *states, int32_t *before, int32_t *expected,
              int32_t *change, elo_t *after)
{
    double rate = 2.302585092994046 / scale;
    for (int64_t g = 0; g < games; g++) {
        elo_t one = states[player1[g]], two = states[player2[g]];
        const kind_t *what = &kinds[kind[g]];
        int64_t side = 2 * g;
        before[side] = one.rating;
        before[side + 1] = two.rating;
        if (!what->counted) {
            expected[side] = expected[side + 1] = NOT_RATED;
            change[side] = change[side + 1] = 0;
        } else {
            int32_t first = elo_change(k, rate, one, two, what->weight, what->score, &expected[side]);
            int32_t second = elo_change(k, rate, two, one, what->weight, 100 - what->score, &expected[side + 1]);
            change[side] = first;
            change[side + 1] = second;
            one.rating += first;
            two.rating += second;
            one.games++;
            two.games++;
            states[player1[g]] = one;
            states[player2[g]] = two;
        }
        after[side] = one;
        after[side + 1] = two;
    }
}

/* --- belgian-go ---------------------------------------------------------------------------------- */

typedef struct {
    int32_t rating, rank, games;
} go_t;

typedef struct {
    double ceiling, con_minimum, a_minimum, compensation, factor_stones, factor_minimum;
    int32_t stone, giver_squared, floor, rank_width, demotion_margin;
} go_rules_t;

typedef struct {
    int32_t event, games, change;
} tally_t;

static const double CON[] = {116, 110, 105, 100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 51,
                             47,  43,  39,  35,  31, 27, 24, 21, 18, 15, 13, 11, 10};
static const double A[] = {200, 195, 190, 185, 180, 175, 170, 165, 160, 155, 150, 145, 140, 135,
                           130, 125, 120, 115, 110, 105, 100, 95,  90,  85,  80,  75,  70};

static inline int32_t floor_div(int32_t x, int32_t by) { return x / by - (x % by < 0); }

/* Linear between the rows, a row every 100 points from -1950, and beyond both ends. */
static inline double table_at(const double *table, int32_t rating, double least)
{
    int32_t row = floor_div(rating + 195000, 10000);
    row = row < 0 ? 0 : row > 25 ? 25 : row;
    double value = (table[row] * 10000 + (table[row + 1] - table[row]) * (rating + 195000 - row * 10000)) / 10000.0;
    return value > least ? value : least;
}

static inline int32_t go_change(const go_rules_t *p, int32_t mine, int32_t other, int32_t stones, double weight,
                                int32_t score, int32_t *expected)
{
    double handicap = 0.0, factor = 1.0;
    if (stones) {
        handicap = (stones > 0 ? stones - p->compensation : stones + p->compensation) * p->stone;
        factor = 1.0 - ((stones < 0 ? -stones : stones) - p->compensation) / p->factor_stones;
        if (factor < p->factor_minimum)
            factor = p->factor_minimum;
        if (stones < 0 && p->giver_squared)
            factor *= factor;
    }
    double difference = (mine - other) / 100.0 + handicap;
    double ratio = fabs(difference) / table_at(A, mine, p->a_minimum);
    double share = 1.0 / (exp(ratio > 700.0 ? 700.0 : ratio) + 1.0);
    if (difference > 0.0)
        share = p->ceiling - share;
    *expected = nearest(share * 1e6);
    double con = table_at(CON, mine, p->con_minimum);
    return nearest(con * weight * factor * (score / 100.0 - share) * 100.0);
}

static inline go_t go_settle(const go_rules_t *p, go_t me, tally_t sum)
{
    int32_t width = p->rank_width * POINT, margin = p->demotion_margin * POINT, lowest = p->floor * POINT;
    me.rating += sum.change;
    if (me.rating < lowest)
        me.rating = lowest;
    me.games += sum.games;
    if (me.rating > me.rank * width)
        me.rank = -floor_div(-me.rating, width);
    else if (me.rating < (me.rank - 1) * width - margin)
        me.rank = floor_div(me.rating + margin, width) + 1;
    return me;
}

/* Returns the number of settlements. rules: a row for each row of parameters; `tallies` (of zeros) and
   `touched` have one place a person. */
int64_t go_loop(int64_t events, const go_rules_t *rules, const int32_t *event_row, const int32_t *event_rules,
                const kind_t *kinds, const int32_t *kind_rules, const int32_t *player1, const int32_t *player2,
                const int32_t *kind, go_t *states, tally_t *tallies, int32_t *touched, int32_t *before,
                int32_t *expected, int32_t *change, int32_t *settled_player, go_t *settled_state,
                int32_t *event_settled)
{
    int64_t settled = 0;
    event_settled[0] = 0;
    for (int64_t e = 0; e < events; e++) {
        int32_t met = 0;
        for (int64_t g = event_row[e]; g < event_row[e + 1]; g++) {
            const kind_t *what = &kinds[kind[g]];
            const go_rules_t *p = &rules[kind_rules[kind[g]]];
            int64_t side = 2 * g;
            int32_t who[2] = {player1[g], player2[g]};
            int32_t rating[2] = {states[who[0]].rating, states[who[1]].rating};
            for (int turn = 0; turn < 2; turn++) {
                before[side + turn] = rating[turn];
                if (!what->counted) {
                    expected[side + turn] = NOT_RATED;
                    change[side + turn] = 0;
                    continue;
                }
                tally_t *sum = &tallies[who[turn]];
                if (sum->event != e + 1) {
                    *sum = (tally_t){(int32_t)e + 1, 0, 0};
                    touched[met++] = who[turn];
                }
                int32_t won = go_change(p, rating[turn], rating[1 - turn], turn ? what->stones : -what->stones,
                                        what->weight, turn ? 100 - what->score : what->score, &expected[side + turn]);
                change[side + turn] = won;
                sum->games++;
                sum->change += won;
            }
        }
        for (int32_t i = 0; i < met; i++) {
            int32_t person = touched[i];
            states[person] = go_settle(&rules[event_rules[e]], states[person], tallies[person]);
            settled_player[settled] = person;
            settled_state[settled++] = states[person];
        }
        event_settled[e + 1] = (int32_t)settled;
    }
    return settled;
}
