#include "api/ladder/glicko2.h"

#include <math.h>

#define SCALE 173.7178     /* rating points a unit of mu, as the paper has it */
#define CONVERGENCE 1e-12  /* of the volatility's logarithm; the paper: 1e-6 */
#define DEVIATION_MIN 30.0 /* below it nobody could climb or fall any more */
#define INHERIT_FACTOR 1.75
#define INHERIT_MIN 120.0

static double glicko2_g(double phi)
{
    return 1.0 / sqrt(1.0 + 3.0 * phi * phi / (M_PI * M_PI));
}

static double glicko2_e(double mu, double mu_j, double phi_j)
{
    return 1.0 / (1.0 + exp(-glicko2_g(phi_j) * (mu - mu_j)));
}

double glicko2_expected(struct glicko2 player, struct glicko2 opponent)
{
    return glicko2_e((player.rating - GLICKO2_RATING) / SCALE,
                     (opponent.rating - GLICKO2_RATING) / SCALE,
                     opponent.deviation / SCALE);
}

/* Step 5.1's f(x), whose root is the logarithm of the new variance. */
struct volatility {
    double delta2; /* delta^2 */
    double phi2;   /* phi^2 */
    double v;
    double a; /* ln(sigma^2) */
};

static double volatility_f(const struct volatility *in, double x)
{
    double ex = exp(x);
    double sum = in->phi2 + in->v + ex;

    return ex * (in->delta2 - sum) / (2.0 * sum * sum) -
           (x - in->a) / (GLICKO2_TAU * GLICKO2_TAU);
}

/* Steps 5.2 to 5.5: the Illinois form of regula falsi. */
static double volatility_solve(const struct volatility *in)
{
    double a = in->a;
    double b;

    if (in->delta2 > in->phi2 + in->v) {
        b = log(in->delta2 - in->phi2 - in->v);
    } else {
        double k = 1.0;
        while (volatility_f(in, in->a - k * GLICKO2_TAU) < 0.0)
            k += 1.0;
        b = in->a - k * GLICKO2_TAU;
    }
    double fa = volatility_f(in, a);
    double fb = volatility_f(in, b);
    /* It ends in a few rounds; the bound keeps odd input from looping. */
    for (int round = 0; fabs(b - a) > CONVERGENCE && round < 200; round++) {
        double c = a + (a - b) * fa / (fb - fa);
        double fc = volatility_f(in, c);
        if (fc * fb <= 0.0) {
            a = b;
            fa = fb;
        } else {
            fa /= 2.0;
        }
        b = c;
        fb = fc;
    }
    return exp(a / 2.0);
}

static double deviation_bound(double deviation)
{
    return fmin(fmax(deviation, DEVIATION_MIN), GLICKO2_DEVIATION);
}

struct glicko2 glicko2_update(struct glicko2 player,
                              const struct glicko2_game *game, size_t count)
{
    double mu = (player.rating - GLICKO2_RATING) / SCALE;
    double phi = player.deviation / SCALE;
    double sigma = player.volatility;
    double inverse_v = 0.0;
    double gain = 0.0;

    for (size_t i = 0; i < count; i++) {
        double mu_j = (game[i].opponent.rating - GLICKO2_RATING) / SCALE;
        double phi_j = game[i].opponent.deviation / SCALE;
        double g = glicko2_g(phi_j);
        double e = glicko2_e(mu, mu_j, phi_j);
        inverse_v += g * g * e * (1.0 - e);
        gain += g * (game[i].score - e);
    }
    /* Nobody played, or the outcome was certain: nothing was learned. */
    if (inverse_v < 1e-12) {
        player.deviation =
            deviation_bound(SCALE * sqrt(phi * phi + sigma * sigma));
        return player;
    }
    double v = 1.0 / inverse_v;
    double delta = v * gain;
    struct volatility in = {.delta2 = delta * delta,
                            .phi2 = phi * phi,
                            .v = v,
                            .a = log(sigma * sigma)};
    double sigma_new = volatility_solve(&in);
    double phi_star2 = phi * phi + sigma_new * sigma_new;
    double phi_new = 1.0 / sqrt(1.0 / phi_star2 + 1.0 / v);
    double mu_new = mu + phi_new * phi_new * gain;

    return (struct glicko2){
        .rating = SCALE * mu_new + GLICKO2_RATING,
        .deviation = deviation_bound(SCALE * phi_new),
        .volatility = sigma_new,
    };
}

struct glicko2 glicko2_inherit(struct glicko2 forerunner)
{
    double deviation = fmax(forerunner.deviation * INHERIT_FACTOR, INHERIT_MIN);

    return (struct glicko2){
        .rating = forerunner.rating,
        .deviation = deviation_bound(deviation),
        .volatility = GLICKO2_VOLATILITY,
    };
}
